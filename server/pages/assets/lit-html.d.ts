// The server answers with the package's module beside this file.
export * from 'lit-html';

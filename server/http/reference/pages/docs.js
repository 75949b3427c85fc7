/** Shows the contract of the server that this page comes from. */
const contract = await (await fetch('openapi.json')).json();
document.title = `${contract.info.title} ${contract.info.version}`;

// The viewer shows the description of a contract, and none of its extensions.
for (const { title, text } of contract['x-guide']) contract.info.description += `\n\n## ${title}\n\n${text}`;

// As this page was reached, which no proxy can hide from it.
contract.servers = [{ url: new URL('.', location.href).href.replace(/\/$/, '') }];

// What is in a field is sent: fields start empty, because the examples of both cursors at once would be refused.
for (const parameter of Object.values(contract.components.parameters)) {
  const name = parameter.schema.$ref?.split('/').at(-1);
  const { example: _, ...schema } = contract.components.schemas[name] ?? parameter.schema;
  delete parameter.example;
  parameter.schema = schema;
}

globalThis.SwaggerUIBundle({
  domNode: document.getElementById('reference'),
  spec: contract,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  supportedSubmitMethods: ['get'],
  tryItOutEnabled: true,
  validatorUrl: null, // Its default asks another server what it thinks of the contract.
});

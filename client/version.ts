/** How the client introduces itself. A test compares it with package.json, which no bundler has to read then. */
export const USER_AGENT = 'rollcall-client/0.1.0';

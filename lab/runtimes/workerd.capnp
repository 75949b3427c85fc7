# The modules as they are in the packed packages; the runner writes the address, the key and a port.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      compatibilityDate = "2026-01-01",
      globalOutbound = "outside",
      modules = [
        (name = "worker", esModule = embed "worker.mjs"),
        (name = "program.mjs", esModule = embed "program.mjs"),
        (name = "@rollcall/client", esModule = embed "node_modules/@rollcall/client/dist/index.js"),
        (name = "openapi-fetch", esModule = embed "node_modules/openapi-fetch/dist/index.mjs"),
        (name = "@rollcall/openapi-fetch", esModule = embed "node_modules/openapi-fetch/dist/index.mjs"),
      ],
      bindings = [
        (name = "baseUrl", text = "BASE_URL"),
        (name = "apiKey", text = "API_KEY"),
      ],
    )),
    (name = "outside", network = (allow = ["private", "public"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

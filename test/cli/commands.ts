/** Every command that takes a database but `copy`, as it is run; of those with a `--db` option, the default one. */
export const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  serve: ['serve', '--port', '0'],
  'serve --create': ['serve', '--create', '--port', '0'],
  'serve --workers': ['serve', '--workers', '2', '--port', '0', '--admin-port', '0'],
  import: ['import', 'automations', '--account', 'acme'],
  'import --replace': ['import', 'automations', '--account', 'acme', '--replace'],
  'keys create': ['keys', 'create', '--account', 'acme'],
  'keys list': ['keys', 'list'],
  'keys revoke': ['keys', 'revoke', '83e7cf73'],
  'accounts list': ['accounts', 'list'],
  'accounts stats': ['accounts', 'stats'],
  'accounts delete': ['accounts', 'delete', 'acme', '--yes'],
  export: ['export', 'automations', '--account', 'acme'],
  remove: ['remove', 'automations', '4e6bfa81-0dbf-4f6b-ae37-211071cced1d', '--account', 'acme'],
  check: ['db', 'check'],
  backup: ['db', 'backup', 'copy.db'],
  upgrade: ['db', 'upgrade'],
};

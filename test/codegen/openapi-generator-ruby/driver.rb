# The driver of the client that openapi-generator makes for Ruby: it runs one task of `rollcall examine`.
require 'json'
require 'openapi_client'
require 'uri'

include OpenapiClient

# An error as the driver prints it.
class Failed < StandardError; end

def client
  url = URI(ENV.fetch('ROLLCALL_BASE_URL'))
  configuration = Configuration.new
  configuration.scheme = url.scheme
  configuration.host = "#{url.host}:#{url.port}"
  configuration.base_path = url.path
  # The contract has no server but the one it came from.
  configuration.ignore_operation_servers = true
  configuration.access_token = ENV.fetch('ROLLCALL_API_KEY')
  ApiClient.new(configuration)
end

LISTS = {
  'automations' => ->(query) { AutomationsApi.new(client).list_automations(query) },
  'contact-properties' => ->(query) { ContactPropertiesApi.new(client).list_contact_properties(query) },
  'contact-imports' => ->(query) { ContactImportsApi.new(client).list_contact_imports(query) }
}.freeze

def list_all(list, query)
  cursor, at = query.key?(:before) ? %i[before first] : %i[after last]
  loop do
    page = list.call(query)
    ids = page.data.map(&:id)
    puts ids
    return unless page.has_more

    # A server that does not move on must not keep the program for ever.
    raise Failed, 'error 200 unreadable' if ids.empty? || ids.public_send(at) == query[cursor]

    query = query.merge(cursor => ids.public_send(at))
  end
end

def run(task, what, options)
  query = options.each_slice(2).to_h { |name, value| [name.delete_prefix('--').to_sym, value] }
  query[:limit] = Integer(query[:limit], 10) if query.key?(:limit)
  list = LISTS[what]
  if task == 'list' && list
    puts list.call(query).data.map(&:id)
  elsif task == 'list-all' && list
    list_all(list, query)
  elsif task == 'get'
    # It leaves out what is null.
    found = ContactImportsApi.new(client).get_contact_import(what)
    puts JSON.generate({ completed_at: nil }.merge(found.to_hash))
  elsif task == 'fallback-values' # A task of the matrix: the values of the contract that have several types.
    LISTS['contact-properties'].call({}).data.each { |it| puts JSON.generate(it.fallback_value) }
  else
    puts 'unsupported'
  end
end

# Status 0: nothing was received, or the client does not tell.
def failure_of(error)
  case error
  when Failed then error.message
  when ApiError
    # The client knows no response by its code of 0.
    return 'error 0 network' if error.code.to_i.zero?

    "error #{error.code} #{name_of(error)}"
  # Of a body: the second for its media type, and for values that are not in the contract.
  when JSON::ParserError, RuntimeError then 'error 0 unreadable'
  else raise error
  end
end

def name_of(error)
  problem = Problem.build_from_hash(JSON.parse(error.response_body, symbolize_names: true))
  problem.status_code == error.code ? problem.name : 'unreadable'
rescue JSON::ParserError, TypeError, NoMethodError
  'unreadable'
end

$stdout.set_encoding('UTF-8')
begin
  run(ARGV[0], ARGV[1], ARGV.drop(2))
rescue StandardError => e
  puts failure_of(e)
  exit 10
end

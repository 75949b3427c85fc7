# The seven things, with the client that openapi-generator makes for Ruby.
require 'json'
require 'openapi_client'
require 'uri'

include OpenapiClient

WANT = JSON.parse(File.read(ENV.fetch('EXPECTED')))

def client_with(key)
  url = URI(ENV.fetch('ROLLCALL_URL'))
  configuration = Configuration.new
  configuration.scheme = url.scheme
  configuration.host = "#{url.host}:#{url.port}"
  # The contract has no server but the one it came from.
  configuration.ignore_operation_servers = true
  configuration.access_token = key
  ApiClient.new(configuration)
end

def check(what, got, want)
  raise "#{what}: #{got.inspect}, not #{want.inspect}" unless got == want
end

def walk(api, query = {})
  ids = []
  loop do
    page = api.list_automations(query.merge(limit: 100, after: ids.last).compact)
    ids.concat(page.data.map(&:id))
    return ids.uniq.length unless page.has_more
  end
end

def check_problem(key, id, status, name)
  found = ContactImportsApi.new(client_with(key)).get_contact_import(id)
  raise "an answer, though #{name} was to come: #{found}"
rescue ApiError => e
  problem = Problem.build_from_hash(JSON.parse(e.response_body, symbolize_names: true))
  check('problem', [e.code, problem.status_code, problem.name], [status, status, name])
end

key = ENV.fetch('ROLLCALL_API_KEY')
client = client_with(key)
automations = AutomationsApi.new(client)
check('the first automation', automations.list_automations.data.first.id, WANT['firstAutomationId'])
check('automations', walk(automations), WANT['automations'])
check('enabled automations', walk(automations, status: AutomationStatus::ENABLED), WANT['enabled'])

found = ContactImportsApi.new(client).get_contact_import(WANT['importId'])
check('contact import', [found.counts.created, found.completed_at], [WANT['importCreated'], nil])

properties = ContactPropertiesApi.new(client).list_contact_properties.data
check('fallback values', properties.map(&:fallback_value), WANT['fallbackValues'])

check_problem(key, '00000000-0000-4000-8000-000000000000', 404, ProblemName::NOT_FOUND)
check_problem('wrong', WANT['importId'], 401, ProblemName::INVALID_API_KEY)

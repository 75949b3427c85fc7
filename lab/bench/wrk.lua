-- Walks in circles over the targets of a file: wrk ... -- FILE OFFSET PAUSE_MS
-- The file: headers, an empty line, targets, each alone or with a key of its own after a space.
-- The offset is the number of targets to pass over.
-- With a pause, each connection waits so long before each request.
local targets, keys, at = {}, {}, 0
local head, tail

function init(args)
  local isHeader = true
  for line in io.lines(args[1]) do
    if line == '' then
      isHeader = false
    elseif isHeader then
      local name, value = line:match('^(.-): (.*)$')
      wrk.headers[name] = value
    else
      local target, key = line:match('^(%S+) ?(%S*)$')
      targets[#targets + 1] = target
      keys[#targets] = key == '' and '' or 'Authorization: Bearer ' .. key .. '\r\n'
    end
  end
  at = tonumber(args[2])
  local pause = tonumber(args[3])
  if pause > 0 then
    delay = function() return pause end
  end
  head, tail = wrk.format('GET', '\0'):match('^(.-)%z(.*)\r\n$')
end

function request()
  at = at % #targets + 1
  return head .. targets[at] .. tail .. keys[at] .. '\r\n'
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"failed":%d,"errors":%d}\n',
    summary.requests,
    summary.duration / 1e6,
    latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3,
    errors.connect + errors.read + errors.write + errors.timeout,
    errors.status
  ))
end

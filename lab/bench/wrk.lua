-- Walks in circles over the targets of a file: wrk ... -- FILE OFFSET
-- The file: headers, an empty line, targets.
-- The offset is the number of targets to pass over.
local targets, at = {}, 0
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
      targets[#targets + 1] = line
    end
  end
  at = tonumber(args[2])
  head, tail = wrk.format('GET', '\0'):match('^(.-)%z(.*)$')
end

function request()
  at = at % #targets + 1
  return head .. targets[at] .. tail
end

function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"seconds":%f,"failed":%d,"errors":%d}\n',
    summary.requests,
    summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.timeout,
    errors.status
  ))
end

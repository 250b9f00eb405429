-- Counts hits in fixed windows, many at once, by the clock of this server.
--
-- KEYS     for each order one key, or two
-- ARGV[1]  length of a window in ms
-- ARGV[2]  and so on, for each order: '' when it has one key; else the limit that the count of its first key must not
--          exceed for its second key to be counted
-- Answer   the time in Unix ms, then for each key its count and the Unix ms at which its window ends; 0 and 0 for a
--          second key that was not counted
--
-- A window is a hash: n is the count, e the end. The end is part of it, so that it is the same for every hit; the
-- expiry only cleans up. A window that ends later than one length from now was opened before the clock was set back.

local time = redis.call('TIME')
local now_ms = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local window_ms = tonumber(ARGV[1])

local function hit(key)
  local ends_at_ms = tonumber(redis.call('HGET', key, 'e') or 0)
  if ends_at_ms > now_ms and ends_at_ms <= now_ms + window_ms then
    return redis.call('HINCRBY', key, 'n', 1), ends_at_ms
  end
  ends_at_ms = now_ms + window_ms
  redis.call('HSET', key, 'n', 1, 'e', string.format('%.0f', ends_at_ms))
  redis.call('PEXPIRE', key, window_ms)
  return 1, ends_at_ms
end

local answer = { now_ms }
local key_index = 0
local function push(count, ends_at_ms)
  answer[#answer + 1] = count
  answer[#answer + 1] = ends_at_ms
end

for order = 2, #ARGV do
  key_index = key_index + 1
  local count, ends_at_ms = hit(KEYS[key_index])
  push(count, ends_at_ms)
  if ARGV[order] ~= '' then
    key_index = key_index + 1
    if count <= tonumber(ARGV[order]) then push(hit(KEYS[key_index])) else push(0, 0) end
  end
end

return answer

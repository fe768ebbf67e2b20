// What Redis runs. The scripts keep and find; the rules are the engine's. Each runs as a whole: nothing else happens in
// Redis meanwhile. What they are told is JSON. Numbers come back as text: Redis cuts a script's numbers to integers.
import { createHash } from 'node:crypto';

/** A script, and the name that Redis knows it by once it has run. */
const script = (text: string) => ({ text, sha: createHash('sha1').update(text).digest('hex') });
export type Script = ReturnType<typeof script>;

/** More than any pool has slots. The last run of never-written slots ends here. */
const END = 2 ** 32;

/**
 * Keys: pool, slots, responses, gaps and order of the generation whose slots are granted, order of the generation whose
 * held slots are counted, quotas. Argument: `ReadArguments`.
 */
export const READ = script(`
local wanted = cjson.decode(ARGV[1])
local time = redis.call('TIME')
local now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local info = wanted.info and redis.call('INFO', 'server') .. redis.call('INFO', 'replication')
if info and string.find(info, 'role:slave', 1, true) then return redis.error_reply('READONLY this is a replica') end
local function slot(field) return { field, redis.call('HGET', KEYS[2], field) } end

local free, skip = {}, wanted.skip
local function take(first, past)
  first, past = math.max(first, wanted.from), math.min(past, wanted.to)
  local skipped = math.max(0, math.min(skip, past - first))
  skip = skip - skipped
  for number = first + skipped, math.min(past, first + skipped + wanted.count - #free) - 1 do
    free[#free + 1] = slot(string.format('%s:%09.0f', wanted.generation, number))
  end
end
local from, to = '(' .. wanted.from, '(' .. wanted.to
local around = redis.call('ZREVRANGEBYSCORE', KEYS[4], wanted.from, '-inf', 'WITHSCORES', 'LIMIT', 0, 1)
if redis.call('EXISTS', KEYS[4]) == 0 then around = { ${END}, 0 } end
local later = redis.call('ZRANGEBYSCORE', KEYS[4], from, to, 'WITHSCORES', 'LIMIT', 0, skip + wanted.count)
for _, gaps in ipairs({ around, later }) do
  for i = 1, #gaps, 2 do take(tonumber(gaps[i + 1]), tonumber(gaps[i])) end
end
local at = 0
while #free < wanted.count do
  local written = redis.call('ZRANGE', KEYS[5], at, at + skip + wanted.count - #free - 1)
  if #written == 0 then break end
  at = at + #written
  for _, number in ipairs(written) do take(tonumber(number), number + 1) end
end

local slots, responses, quotas, after = {}, {}, {}, '(' .. now
for i, field in ipairs(wanted.fields) do slots[i] = slot(field) end
for i, request in ipairs(wanted.requests) do
  responses[i] = redis.call('HGET', KEYS[3], request)
  for field in string.gmatch(responses[i] or '', ' (%S+)') do slots[#slots + 1] = slot(field) end
end
for i = 7, #KEYS do
  local first = redis.call('ZRANGEBYSCORE', KEYS[i], after, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  quotas[i - 6] = { redis.call('ZCOUNT', KEYS[i], after, '+inf'), first[2] or 'Infinity' }
end
local pool = redis.call('HMGET', KEYS[1], 'data', 'version', 'serial', 'life')
return { now, pool, free, slots, responses, quotas, redis.call('ZCOUNT', KEYS[6], after, '+inf'), info }`);

/**
 * Keys: pool, slots, responses, then gaps and orders of generations, and quotas. Argument: `WriteArguments`. Returns the
 * serial, or false when something has changed.
 */
export const WRITE = script(`
local change = cjson.decode(ARGV[1])
local function firstWord(key, field) return string.match(redis.call('HGET', key, field) or '', '^%S*') end
-- A key of another kind fails here, before anything is written.
for i, key in ipairs(KEYS) do redis.call(i <= 3 and 'HLEN' or 'ZCARD', key) end
-- Another server has taken over, and may not have all that was read.
local isOther = change.server ~= '' and not string.find(redis.call('INFO', 'server'), change.server, 1, true)
if isOther or firstWord(KEYS[1], 'version') ~= change.version then return false end
for _, slot in ipairs(change.slots) do
  if firstWord(KEYS[2], slot.field) ~= slot.version then return false end
end
for _, response in ipairs(change.responses) do
  if firstWord(KEYS[3], response.request) ~= response.before then return false end
end
for _, quota in ipairs(change.quotas) do
  if redis.call('ZCOUNT', KEYS[quota.key], '(' .. change.now, '+inf') > quota.count then return false end
end

-- Takes a slot out of those that were never written.
local function fill(gaps, slot)
  if redis.call('EXISTS', gaps) == 0 then redis.call('ZADD', gaps, 0, '${END}') end
  local gap = redis.call('ZREVRANGEBYSCORE', gaps, slot, '-inf', 'WITHSCORES', 'LIMIT', 0, 1)
  local past, first = tonumber(gap[1] or 0), tonumber(gap[2] or 0)
  if past <= slot then return end
  if first < slot then redis.call('ZADD', gaps, first, slot) end
  if slot + 1 < past then redis.call('ZADD', gaps, slot + 1, gap[1]) else redis.call('ZREM', gaps, gap[1]) end
end
for _, slot in ipairs(change.slots) do
  redis.call('HSET', KEYS[2], slot.field, slot.value)
  if slot.version == '' then fill(KEYS[slot.key], slot.number) end
  redis.call('ZADD', KEYS[slot.key + 1], slot.freeFrom, string.format('%09.0f', slot.number))
  for _, key in ipairs(slot.left) do redis.call('ZREM', KEYS[key], slot.field) end
  for _, key in ipairs(slot.joined) do redis.call('ZADD', KEYS[key], slot.freeFrom, slot.field) end
end
for _, response in ipairs(change.forget) do
  local request, created = unpack(response)
  if firstWord(KEYS[3], request) == created then redis.call('HDEL', KEYS[3], request) end
end
for _, response in ipairs(change.responses) do redis.call('HSET', KEYS[3], response.request, response.value) end
if change.pool then redis.call('HSET', KEYS[1], 'data', change.pool, 'version', change.newVersion) end
local serial = math.max(redis.call('HGET', KEYS[1], 'serial') or 0, change.serialAtLeast) + change.grants
redis.call('HSET', KEYS[1], 'serial', string.format('%.0f', serial), 'life', change.server .. ' ' .. change.now)
return string.format('%.0f', serial)`);

/** Keys: gaps, slots. Arguments: generation, after, limit. Between the gaps lies what was written. */
export const LIST = script(`
local found, slot = {}, ARGV[2] + 1
while redis.call('EXISTS', KEYS[1]) == 1 and #found < tonumber(ARGV[3]) do
  local gap = redis.call('ZREVRANGEBYSCORE', KEYS[1], slot, '-inf', 'LIMIT', 0, 1)
  slot = math.max(slot, tonumber(gap[1] or 0))
  if slot >= ${END} then break end
  local field = string.format('%s:%09.0f', ARGV[1], slot)
  local value = redis.call('HGET', KEYS[2], field)
  if value then found[#found + 1] = { field, value } end
  slot = slot + 1
end
return found`);

/** Keys: slots, quotas. Arguments: fields. */
export const REMOVE = script(`
redis.call('HDEL', KEYS[1], unpack(ARGV))
for i = 2, #KEYS do redis.call('ZREM', KEYS[i], unpack(ARGV)) end`);

/** Keys: what is removed. */
export const UNLINK = script("return redis.call('UNLINK', unpack(KEYS))");

/** Keys: pool. A write that changes nothing, for replicas to acknowledge with all that came before it. */
export const CONFIRM = script("return redis.call('HINCRBY', KEYS[1], 'confirmed', 1)");

/** Keys: any. In a script, so that the server of that key responds. */
export const INFO = script("return redis.call('INFO', 'memory') .. redis.call('INFO', 'persistence')");

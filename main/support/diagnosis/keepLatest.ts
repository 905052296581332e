/** Makes this the last entry of a map, and drops the first beyond `most`: the one that was not used for longest. */
export function keepLatest<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  most: number,
  dropped?: (value: Value) => void
): Value {
  map.delete(key)
  map.set(key, value)
  const [first] = map
  if (map.size > most && first !== undefined) {
    map.delete(first[0])
    dropped?.(first[1])
  }
  return value
}

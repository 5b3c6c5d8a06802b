/** Stands in for `lru-cache`: topic aliases, its only use in mqtt.js, are never assigned here. */
export class LRUCache<K, V> extends Map<K, V> {
  constructor(_options: unknown) {
    super();
  }
}

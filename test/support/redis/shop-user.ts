/** What docs/scaling.md says that a user needs, for the prefix `shop`. */
export const SHOP_USER = [
  'resetkeys',
  'resetchannels',
  '-@all',
  '~shop:*',
  ...'+hello +auth +info +ping'.split(' '),
  ...'+eval +evalsha +time +del +exists +pttl +pexpire +pexpireat'.split(' '),
  ...'+xadd +xread +xrange +xlen +xtrim +hget +hmget +hgetall +hset +hdel +hincrby'.split(' '),
  ...'+zadd +zrem +zscore +zcount +zrange +zrangebylex'.split(' '),
  ...'+zrangebyscore +zremrangebyscore +get +set'.split(' '),
];

/** The maximum number of concurrent checks, because predicates may query a database or another service. */
const MOST_AT_ONCE = 16;

/**
 * Selects the first matching items, in order, up to a maximum number. Later items are not checked. Several checks run
 * concurrently, one per item.
 */
export async function selectSequentially<Item>(
  items: readonly Item[],
  most: number,
  fits: (item: Item) => boolean | Promise<boolean>,
): Promise<ReadonlySet<Item>> {
  const fitting = new Set<Item>();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length && fitting.size < most) {
      const item = items[next] as Item;
      next += 1;
      const result = fits(item);
      if (typeof result === 'boolean' ? result : await result) fitting.add(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(MOST_AT_ONCE, items.length) }, work));
  // Concurrent checks may finish in a different order.
  return new Set(items.slice(0, next).filter((item) => fitting.has(item)));
}

/** Writes a schema that takes any result of a method that the official client does not know. */
export function formatAnything({ withZod }: { readonly withZod: boolean }): string {
  if (withZod) {
    return `/** The client does not know this method: whatever comes is taken. */
const anything = z.record(z.string(), z.unknown());`;
  }
  return `/** The client does not know this method: whatever comes is taken. */
const anything = {
  '~standard': {
    version: 1 as const,
    vendor: 'test',
    validate: (value: unknown) => ({ value: value as Record<string, unknown> }),
  },
};`;
}

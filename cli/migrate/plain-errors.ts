/** A location where a plain error is thrown, identified by order because lines move while a file is migrated. */
export interface PlainError {
  readonly path: string;
  /** The index among the plain errors of the file. */
  readonly index: number;
}

const MOST_PLACES = 10;

/** Finds the positions where a source throws plain errors. */
export function findThrows(text: string): readonly number[] {
  return [...text.matchAll(/\bthrow\s+new\s+Error\b/g)].map(({ index }) => index);
}

/** Lists the lines of plain errors, with what to throw instead. Returns `undefined` if there are none. */
export function formatPlainErrors(
  errors: readonly PlainError[],
  read: (path: string) => string | undefined,
): string | undefined {
  if (errors.length === 0) return undefined;
  const places = errors.slice(0, MOST_PLACES).map(({ path, index }) => {
    const text = read(path) ?? '';
    return `  ${path}:${text.slice(0, findThrows(text)[index]).split('\n').length}`;
  });
  const rest = errors.length > MOST_PLACES ? [`  and ${errors.length - MOST_PLACES} more`] : [];
  return [
    'Callers receive "Internal error" instead of the messages of these errors. Throw "ToolError" if the model should read them:',
    ...places,
    ...rest,
  ].join('\n');
}

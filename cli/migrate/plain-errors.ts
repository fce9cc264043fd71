/** A place where a plain error is thrown: lines move while a file is migrated, and the order of its errors does not. */
export interface PlainError {
  readonly path: string;
  /** Which of all plain errors that the file throws. */
  readonly index: number;
}

const MOST_PLACES = 10;

/** Finds where a text throws plain errors. */
export function findThrows(text: string): readonly number[] {
  return [...text.matchAll(/\bthrow\s+new\s+Error\b/g)].map(({ index }) => index);
}

/** Names the places of plain errors by their lines, and what to throw instead. Returns `undefined` if there are none. */
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
    'Callers read "Internal error" instead of the messages of these errors. Throw "ToolError" if the model should read them:',
    ...places,
    ...rest,
  ].join('\n');
}

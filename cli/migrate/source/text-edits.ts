/** A part of a text, between two positions. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The new text of a place. A function is called at the end, when all other edits are known. */
export type Replacement = string | (() => string);

interface Edit extends Span {
  readonly text: Replacement;
}

/** Collects changes of a text. What no change names stays as it is, character for character. */
export class TextEdits {
  readonly #edits: Edit[] = [];

  constructor(private readonly source: string) {}

  /** Whether nothing changes. */
  get isEmpty(): boolean {
    return this.#edits.length === 0;
  }

  /** Replaces what stands between two positions. Edits inside it count no longer, except if a function renders them. */
  replace({ start, end }: Span, text: Replacement): void {
    this.#edits.push({ start, end, text });
  }

  /** Writes something at a position, behind what was written there before. */
  insert(position: number, text: Replacement): void {
    this.#edits.push({ start: position, end: position, text });
  }

  /** Takes out what stands between two positions. */
  remove(span: Span): void {
    this.replace(span, '');
  }

  /** Tells whether the text there is replaced or removed as a whole. */
  covers({ start, end }: Span): boolean {
    return this.#edits.some((edit) => edit.start <= start && end <= edit.end && edit.start < edit.end);
  }

  /** Returns the changed text. */
  apply(): string {
    return this.render({ start: 0, end: this.source.length });
  }

  /**
   * Returns a part of the text with the edits that lie inside it.
   *
   * @throws {RangeError} if two edits overlap, which is a problem of the rules
   */
  render({ start, end }: Span): string {
    let text = '';
    let position = start;
    for (const edit of this.#select({ start, end })) {
      if (edit.start < position) throw new RangeError(`Two edits overlap at ${edit.start}`);
      text += this.source.slice(position, edit.start);
      text += typeof edit.text === 'string' ? edit.text : edit.text();
      position = edit.end;
    }
    return text + this.source.slice(position, end);
  }

  #select(span: Span): readonly Edit[] {
    const inside = this.#edits.filter(({ start, end }) => span.start <= start && end <= span.end);
    const outer = inside.filter(
      (edit, index) =>
        !inside.some((other, at) => holds(other, edit) && (!isSame(other, edit) || at < index)),
    );
    return joinRemovals(outer.toSorted((one, other) => one.start - other.start || one.end - other.end));
  }
}

/** An insertion at the edge of another edit is beside it. */
function holds(outer: Edit, inner: Edit): boolean {
  if (outer.start === outer.end) return false;
  if (inner.start === inner.end) return outer.start < inner.start && inner.end < outer.end;
  return outer.start <= inner.start && inner.end <= outer.end;
}

function isSame(one: Edit, other: Edit): boolean {
  return one.start === other.start && one.end === other.end;
}

/** Neighbors that are taken out may both take the comma between them. */
function joinRemovals(edits: readonly Edit[]): readonly Edit[] {
  const joined: Edit[] = [];
  for (const edit of edits) {
    const last = joined.at(-1);
    const isJoined = last?.text === '' && edit.text === '' && edit.start < last.end;
    if (last !== undefined && isJoined) joined.splice(-1, 1, { ...last, end: Math.max(last.end, edit.end) });
    else joined.push(edit);
  }
  return joined;
}

/** A part of a source, between two positions. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The replacement of a span. A function is called at the end, when all other edits are known. */
export type Replacement = string | (() => string);

interface Edit extends Span {
  readonly text: Replacement;
}

/** Collects edits to a source. Everything outside the edits is preserved character for character. */
export class TextEdits {
  readonly #edits: Edit[] = [];

  constructor(private readonly source: string) {}

  /** Whether nothing changes. */
  get isEmpty(): boolean {
    return this.#edits.length === 0;
  }

  /** Replaces a span. Edits inside it are discarded unless a function renders them. */
  replace({ start, end }: Span, text: Replacement): void {
    this.#edits.push({ start, end, text });
  }

  /** Inserts code at a position, after earlier insertions there. */
  insert(position: number, text: Replacement): void {
    this.#edits.push({ start: position, end: position, text });
  }

  /** Removes a span. */
  remove(span: Span): void {
    this.replace(span, '');
  }

  /** Checks whether an edit replaces or removes the whole span. */
  covers({ start, end }: Span): boolean {
    return this.#edits.some((edit) => edit.start <= start && end <= edit.end && edit.start < edit.end);
  }

  /** Returns the edited source. */
  apply(): string {
    return this.render({ start: 0, end: this.source.length });
  }

  /**
   * Returns part of the source with the edits inside it.
   *
   * @throws {RangeError} if two edits overlap, which is a bug in the rules
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

/** An insertion at the edge of another edit is not inside it. */
function holds(outer: Edit, inner: Edit): boolean {
  if (outer.start === outer.end) return false;
  if (inner.start === inner.end) return outer.start < inner.start && inner.end < outer.end;
  return outer.start <= inner.start && inner.end <= outer.end;
}

function isSame(one: Edit, other: Edit): boolean {
  return one.start === other.start && one.end === other.end;
}

/** Adjacent removals may both include the comma between them. */
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

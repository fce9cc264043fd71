/** The removed and added lines; all other lines are the same on both sides, in the same order. */
export interface LineChanges {
  readonly isRemoved: Uint8Array;
  readonly isAdded: Uint8Array;
}

/** A range of lines on both sides. */
interface LineRanges {
  readonly left: number;
  readonly leftEnd: number;
  readonly right: number;
  readonly rightEnd: number;
}

/** The number of steps within which the shortest path is searched; beyond it, a longer path is good enough. */
const LONGEST_SEARCH = 512;

/** The index of the diagonal that starts in the corner. */
const CENTER = LONGEST_SEARCH + 1;

/** The position of a path that leaves the range. */
const NOWHERE = -(2 ** 30);

/**
 * Finds a small set of lines to remove and add. Memory grows with the number of lines, and time with the number of changed
 * lines; the set is minimal unless thousands of lines differ.
 *
 * @see E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986, §4b
 */
export function compareLines(before: readonly string[], after: readonly string[]): LineChanges {
  const numbers = new Map<string, number>();
  const [one, other] = [before, after].map((lines) => numberLines(lines, numbers)) as [
    Int32Array,
    Int32Array,
  ];
  const changes = { isRemoved: new Uint8Array(one.length), isAdded: new Uint8Array(other.length) };
  const search = new MiddleSearch(one, other);
  const open: LineRanges[] = [{ left: 0, leftEnd: one.length, right: 0, rightEnd: other.length }];
  for (let box = open.pop(); box !== undefined; box = open.pop()) {
    const inner = trim(box, one, other);
    const middle = isFlat(inner) ? undefined : search.find(inner);
    if (middle === undefined) mark(inner, changes);
    else open.push(...split(inner, middle));
  }
  return changes;
}

/** Assigns the same number to equal lines, because numbers are faster to compare. */
function numberLines(lines: readonly string[], numbers: Map<string, number>): Int32Array {
  return Int32Array.from(lines, (line) => {
    const number = numbers.get(line) ?? numbers.size;
    numbers.set(line, number);
    return number;
  });
}

function trim(box: LineRanges, one: Int32Array, other: Int32Array): LineRanges {
  let { left, leftEnd, right, rightEnd } = box;
  for (; left < leftEnd && right < rightEnd && one[left] === other[right]; left += 1) right += 1;
  for (; left < leftEnd && right < rightEnd && one[leftEnd - 1] === other[rightEnd - 1]; leftEnd -= 1)
    rightEnd -= 1;
  return { left, leftEnd, right, rightEnd };
}

function isFlat({ left, leftEnd, right, rightEnd }: LineRanges): boolean {
  return left === leftEnd || right === rightEnd;
}

function mark({ left, leftEnd, right, rightEnd }: LineRanges, { isRemoved, isAdded }: LineChanges): void {
  isRemoved.fill(1, left, leftEnd);
  isAdded.fill(1, right, rightEnd);
}

type Point = readonly [left: number, right: number];

function split(box: LineRanges, [left, right]: Point): readonly LineRanges[] {
  return [
    { ...box, leftEnd: left, rightEnd: right },
    { ...box, left, right },
  ];
}

/** Searches from both ends of a range for a point on the shortest path between them. */
class MiddleSearch {
  /** How far each diagonal was followed from the start, and from the end. */
  readonly #forth = new Int32Array(2 * CENTER + 1);
  readonly #back = new Int32Array(2 * CENTER + 1);

  constructor(
    private readonly one: Int32Array,
    private readonly other: Int32Array,
  ) {}

  /** Returns a point inside the range: where both paths meet, or else the farthest point of the first path. */
  find(box: LineRanges): Point | undefined {
    const [width, height] = [box.leftEnd - box.left, box.rightEnd - box.right];
    const [delta, most] = [width - height, Math.min(width + height, LONGEST_SEARCH)];
    let farthest: Point = [0, 0];
    for (const reached of [this.#forth, this.#back]) reached.fill(NOWHERE);
    for (let steps = 0; steps <= most; steps += 1) {
      for (let k = -steps; k <= steps; k += 2) {
        const x = this.#goForth(box, k, steps);
        if (x === NOWHERE) continue;
        if (2 * x - k > farthest[0] + farthest[1]) farthest = [x, x - k];
        if (delta % 2 !== 0 && x + at(this.#back, delta - k) >= width) return inside(box, [x, x - k]);
      }
      for (let k = -steps; k <= steps; k += 2) {
        const x = this.#goBack(box, k, steps);
        const isMet = delta % 2 === 0 && x + at(this.#forth, delta - k) >= width;
        if (isMet) return inside(box, [width - x, height - x + k]);
      }
    }
    return inside(box, farthest);
  }

  #goForth(box: LineRanges, k: number, steps: number): number {
    const { one, other } = this;
    const { left, leftEnd, right, rightEnd } = box;
    let x = step(this.#forth, box, { k, steps });
    if (x === NOWHERE) return x;
    while (left + x < leftEnd && right + x - k < rightEnd && one[left + x] === other[right + x - k]) x += 1;
    this.#forth[CENTER + k] = x;
    return x;
  }

  #goBack(box: LineRanges, k: number, steps: number): number {
    const { one, other } = this;
    let x = step(this.#back, box, { k, steps });
    if (x === NOWHERE) return x;
    const [leftEnd, rightEnd] = [box.leftEnd - 1, box.rightEnd - 1 + k];
    while (leftEnd - x >= box.left && rightEnd - x >= box.right && one[leftEnd - x] === other[rightEnd - x])
      x += 1;
    this.#back[CENTER + k] = x;
    return x;
  }
}

/** Moves one step to a diagonal, from the neighbor that is farther along. Does nothing if that leaves the range. */
function step(
  reached: Int32Array,
  { left, leftEnd, right, rightEnd }: LineRanges,
  { k, steps }: { readonly k: number; readonly steps: number },
): number {
  const aside = steps === 0 ? 0 : at(reached, k - 1) + 1;
  const down = at(reached, k + 1);
  const x = Math.max(
    aside <= leftEnd - left ? aside : NOWHERE,
    down - k <= rightEnd - right ? down : NOWHERE,
  );
  reached[CENTER + k] = x < 0 ? NOWHERE : x;
  return x < 0 ? NOWHERE : x;
}

function at(reached: Int32Array, diagonal: number): number {
  return reached[CENTER + diagonal] ?? NOWHERE;
}

/** Returns `undefined` for a corner, which would not split the range. */
function inside({ left, leftEnd, right, rightEnd }: LineRanges, [x, y]: Point): Point | undefined {
  const isStart = x === 0 && y === 0;
  const isEnd = left + x === leftEnd && right + y === rightEnd;
  return isStart || isEnd ? undefined : [left + x, right + y];
}

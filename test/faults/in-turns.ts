/** Does the same many times, so many at once. */
export async function inTurns<Value>(
  times: number,
  width: number,
  act: (turn: number) => Promise<Value>,
): Promise<Value[]> {
  const values: Value[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < times) {
      const turn = next++;
      values[turn] = await act(turn);
    }
  };
  await Promise.all(Array.from({ length: width }, work));
  return values;
}

/** A member of an interface of options. */
export interface OptionMember {
  readonly name: string;
  /** The default that its docstring gives; absent where there is none, or it cannot be written as a value. */
  readonly value?: string;
}

/** Reads the members of an interface with the defaults that their docstrings give. */
export function readMembers(source: string, name: string): readonly OptionMember[] {
  const form = new RegExp(`^export interface ${name}\\b[^{]*\\{\n([\\s\\S]*?)^\\}`, 'm');
  const members = (form.exec(source)?.[1] ?? '').matchAll(
    /^ {2}\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}readonly (\w+)\??:/gm,
  );
  return [...members].map(([, text = '', member = '']) => {
    const value = /@default (\[.*\]|\S+)/.exec(text)?.[1] ?? '';
    return { name: member, ...(isValue(value) && { value }) };
  });
}

/** Tells whether a default is written as code that stands for a value. */
export function isValue(text: string): boolean {
  return /^(?:\d|'|\[|true$|false$)/.test(text);
}

/** Reads a default as the tables write it: `1_000`, `'/mcp'`, `false`, `[]`. */
export function parseDefault(text: string): unknown {
  return JSON.parse(text.replaceAll(/(?<=\d)_(?=\d)/g, '').replaceAll("'", '"'));
}

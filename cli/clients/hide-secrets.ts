import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';
import { isReference, isSecret, replaceSecret } from './secret-headers.js';

/** A text whose name tells what it is. */
interface NamedText {
  readonly node: Node;
  readonly name: string;
  readonly value: string;
  /** What comes before the value in the text. */
  readonly before?: string;
}

/** What bridges take as an argument. */
const HEADER = /^([\w-]+):\s*(.*)$/s;

/**
 * Hides the secrets in the text of a configuration: what is shown may be in a log, or on somebody else's screen.
 *
 * @param secrets the names of further headers and variables to hide
 */
export function hideSecrets(text: string, member: string, secrets: readonly string[]): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const servers = root && findNodeAtLocation(root, [member]);
  const hidden = listMembers(servers)
    .flatMap(([, server]) => listTexts(server))
    .filter(({ name, value }) => secrets.includes(name) || isSecret(name, value));
  return hidden
    .toSorted((one, other) => other.node.offset - one.node.offset)
    .reduce((shown, { node, name, value, before = '' }) => {
      const shownAs = JSON.stringify(before + replaceSecret(name, value, '[hidden]'));
      return shown.slice(0, node.offset) + shownAs + shown.slice(node.offset + node.length);
    }, text);
}

function listTexts(server: Node): readonly NamedText[] {
  const find = (name: string) => findNodeAtLocation(server, [name]);
  const named = [...listMembers(find('headers')), ...listMembers(find('env'))].map(([name, node]) => ({
    node,
    name,
    value: String(node.value),
  }));
  const args = (find('args')?.children ?? []).flatMap((node) => {
    const [, name, value = ''] = HEADER.exec(String(node.value)) ?? [];
    return name === undefined || isReference(value) ? [] : [{ node, name, value, before: `${name}:` }];
  });
  return [...named, ...args];
}

function listMembers(object: Node | undefined): readonly (readonly [name: string, value: Node])[] {
  return (object?.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [[String(key.value), value] as const],
  );
}

import { findNodeAtLocation, applyEdits, getNodeValue, modify, parseTree, type Node } from 'jsonc-parser';
import type { Entry } from '../../lib/core/clients/describe-server.js';
import { insertMember, removeItem } from './json-edit.js';

/** The member of VS Code's file that has the questions which its servers name. */
const INPUTS = 'inputs';

/** Adds questions to the text of a configuration, those that it does not have. */
export function addInputs(text: string, inputs: readonly Entry[]): string {
  return inputs.reduce<string>((written, input) => {
    const root = parseTree(written, [], { allowTrailingComma: true });
    const list = root && findNodeAtLocation(root, [INPUTS]);
    if (root === undefined || list?.children?.some((one) => readId(one) === input['id']) === true)
      return written;
    if (list === undefined) return insertMember(written, root, INPUTS, [input]);
    return insertFirst(written, input);
  }, text);
}

/** Removes questions that no server names any more, and their list if nothing is left in it. */
export function removeInputs(text: string, ids: readonly string[]): string {
  const unused = ids.filter((id) => !text.includes(`\${input:${id}}`));
  return unused.reduce((written, id) => {
    const list = findList(written);
    const found = list?.children?.find((one) => readId(one) === id);
    return found === undefined
      ? written
      : removeItem(written, list?.children?.length === 1 ? list.parent : found);
  }, text);
}

/** Lists the questions that a text names, by their ids. */
export function findInputs(text: string): readonly string[] {
  return [...text.matchAll(/\$\{input:([^}]+)\}/g)].map(([, id = '']) => id);
}

function findList(text: string): Node | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  return root && findNodeAtLocation(root, [INPUTS]);
}

function readId(node: Node): unknown {
  const value: unknown = getNodeValue(node);
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
}

/** Comments next to the other questions stay there. */
function insertFirst(text: string, input: Entry): string {
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.includes('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return applyEdits(text, modify(text, [INPUTS, 0], input, { formattingOptions, isArrayInsertion: true }));
}

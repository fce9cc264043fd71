import { findNodeAtLocation, applyEdits, getNodeValue, modify, parseTree, type Node } from 'jsonc-parser';
import type { Entry } from '../../lib/core/clients/describe-server.js';
import { insertMember, removeItem } from './json-edit.js';

/** The property of VS Code's file that declares the inputs. */
const INPUTS = 'inputs';

/** Adds the inputs that a configuration does not declare yet. */
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

/** Removes the inputs that no server references anymore, and their list if it is empty. */
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

/** Lists the IDs of the inputs that a string references. */
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

/** Preserves comments next to other inputs. */
function insertFirst(text: string, input: Entry): string {
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.includes('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  return applyEdits(text, modify(text, [INPUTS, 0], input, { formattingOptions, isArrayInsertion: true }));
}

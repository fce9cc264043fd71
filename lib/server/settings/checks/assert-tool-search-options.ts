import {
  fail,
  flag,
  either,
  list,
  members,
  positive,
  text,
  type Check,
} from '../../../core/checks/option-checks.js';
import { findToolNameFault } from '../../../core/protocol/tool-name.js';
import { buildToolSearchSettings } from '../build-tool-search-settings.js';
import type { ToolSearchOptions } from '../tool-search-options.interface.js';

const toolName: Check = (option, value) => {
  const fault = findToolNameFault(value);
  if (fault !== undefined) fail(option, `must be the name of a tool: ${fault}`);
};

const MEMBERS = members({
  name: toolName,
  callTool: (option, value) => {
    if (value !== false) toolName(option, value);
  },
  pinned: list(text),
  pinnedTags: list(text),
  limit: positive,
  maximumLimit: positive,
});

/** Checks how tools are searched. */
export const assertToolSearchOptions: Check = either('boolean', flag, (option, value) => {
  MEMBERS(option, value);
  const {
    name,
    callTool,
    limit = 0,
    maximumLimit = 0,
  } = {
    ...buildToolSearchSettings(value as ToolSearchOptions),
  };
  if (name === callTool) fail(`${option}.callTool`, `must be another name than "${name}", which searches`);
  if (limit > maximumLimit) fail(`${option}.maximumLimit`, `must be at least "limit", which is ${limit}`);
});

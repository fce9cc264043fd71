import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { z } from 'zod';
import { McpCatalog } from '../../../../lib/server/catalog/mcp-catalog.js';
import {
  PromptRegistry,
  ResourceRegistry,
  ResourceTemplateRegistry,
  ToolRegistry,
} from '../../../../lib/server/catalog/registries.js';
import { RecordedLog } from '../../../support/records/recorded-log.js';

const STRINGS = z.object({ n: z.string() });
const NUMBERS = z.object({ n: z.number() });
const OF_NUMBERS =
  'Prompt "count" requires its argument "n" to be "number", but prompt arguments are always strings: use a schema that converts it, such as "z.coerce.number()"';

describe('An entry of McpCatalog that its callers cannot use as it is', () => {
  let log: RecordedLog;
  let catalog: McpCatalog;

  beforeEach(() => {
    log = new RecordedLog();
    Logger.overrideLogger(log);
    catalog = new McpCatalog(
      new ToolRegistry(),
      new ResourceRegistry(),
      new ResourceTemplateRegistry(),
      new PromptRegistry(),
    );
  });

  afterEach(() => Logger.overrideLogger(false));

  const warnings = () => log.find('warn').map((line) => line.replace(/ Mcp$/, ''));

  it('is warned of if nothing says what its arguments are (MOD-11)', () => {
    catalog.tools.add({ name: 'shout' }, ({ text }: { text: string }) => text.toUpperCase());
    catalog.prompts.add({ name: 'count' }, (given) => String(given));
    expect(warnings()).toEqual([
      'Tool "shout" has a parameter for the arguments, but nothing describes them, so it receives none: set "inputSchema", or start its name with "_" if it is unused',
      'Prompt "count" has a parameter for the arguments, but nothing describes them, so it receives none: set "arguments", or start its name with "_" if it is unused',
    ]);
  });

  it('is warned of if it is a prompt with arguments that are no strings (MOD-11)', () => {
    catalog.prompts.add({ name: 'count', arguments: NUMBERS }, () => 'counted');
    expect(warnings()).toEqual([OF_NUMBERS]);
  });

  it('is warned of if its URI template has no variable (MOD-11)', () => {
    catalog.resourceTemplates.add({ name: 'one', uriTemplate: 'a://:id' }, () => 'one');
    expect(warnings()).toEqual(['"a://:id" has no variable: use "a://{id}"']);
  });

  it('is warned of if it is a generator that gives no stream (MOD-11)', () => {
    const values = function* () {
      yield 'a';
    };
    catalog.tools.add({ name: 'values' }, values);
    catalog.resources.add({ name: 'values', uri: 'desk://values' }, values);
    catalog.resources.add({ name: 'stream', uri: 'desk://stream' }, async function* () {
      yield 'a';
    });
    const rest =
      'is a generator function, whose result cannot be sent: collect the values in an array, and return that';
    expect(warnings()).toEqual([`Tool "values" ${rest}`, `Resource "desk://values" ${rest}`]);
  });

  it('is warned of when a change makes it so, and not again at the next one (MOD-11)', () => {
    catalog.prompts.add({ name: 'count', arguments: STRINGS }, () => 'counted');
    catalog.prompts.update('count', { arguments: NUMBERS });
    catalog.prompts.update('count', { title: 'Count' });
    expect(warnings()).toEqual([OF_NUMBERS]);
  });

  it('is nothing else (MOD-11)', () => {
    catalog.tools.add({ name: 'described', inputSchema: STRINGS }, ({ n }: { n: string }) => n);
    catalog.tools.add({ name: 'unused' }, (_given, context) => String(context.id));
    catalog.tools.add({ name: 'bare' }, (_given) => 'bare');
    catalog.tools.add({ name: 'none' }, () => 'none');
    catalog.prompts.add({ name: 'listed', arguments: [{ name: 'n' }] }, (given) => String(given));
    catalog.resources.add({ name: 'hours', uri: 'desk://hours' }, (given) => String(given));
    catalog.resourceTemplates.add({ name: 'one', uriTemplate: 'a://{id}' }, () => 'one');
    expect(warnings()).toEqual([]);
  });
});

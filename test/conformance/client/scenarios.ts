import type { Client, Tool } from '@modelcontextprotocol/client';
import { answerWithDefaults, confirm } from './answers.js';
import type { Setup } from './setup.interface.js';
import { listSkills, readSkills } from './skills.js';
import { withClient } from './with-client.js';

/** Does what a scenario wants to see. */
type Scenario = (setup: Setup) => Promise<unknown>;

/** Gives what is to be done in a scenario; those that are about tokens want nothing else. */
export function findScenario(name: string): Scenario {
  return SCENARIOS[name] ?? callFirstTool;
}

const callFirstTool: Scenario = (setup) =>
  withClient(setup, async (client) => {
    const { tools } = await client.listTools();
    const [tool] = tools;
    if (tool !== undefined) await client.callTool({ name: tool.name, arguments: fillIn(tool) });
  });

const listTools: Scenario = (setup) => withClient(setup, (client) => client.listTools());

const acceptDefaults: Scenario = (setup) =>
  withClient(
    setup,
    (client) => client.callTool({ name: 'test_client_elicitation_defaults', arguments: {} }),
    {
      capabilities: { elicitation: { form: {} } },
      prepare: answerWithDefaults,
    },
  );

const reconnect: Scenario = (setup) =>
  withClient(setup, async (client) => {
    await client.listTools();
    await client.callTool({ name: 'test_reconnection', arguments: {} });
  });

/** One call waits for its answer while another goes through. */
const keepStates: Scenario = (setup) =>
  withClient(
    setup,
    async (client) => {
      await client.listTools();
      await Promise.all([
        client.callTool({ name: 'test_mrtr_echo_state', arguments: {} }),
        client.callTool({ name: 'test_mrtr_unrelated', arguments: {} }),
      ]);
      await client.callTool({ name: 'test_mrtr_no_state', arguments: {} });
      await client.callTool({ name: 'test_mrtr_no_result_type', arguments: {} });
    },
    { capabilities: { elicitation: { form: {} } }, prepare: confirm },
  );

/** Calls all that a server offers, each kind in its turn. */
const callEverything: Scenario = (setup) =>
  withClient(setup, async (client) => {
    const { tools } = await client.listTools();
    for (const tool of tools) await client.callTool({ name: tool.name, arguments: fillIn(tool) });
    const { resources } = await client.listResources();
    for (const { uri } of resources) await client.readResource({ uri });
    const { prompts } = await client.listPrompts();
    for (const { name } of prompts) await client.getPrompt({ name });
  });

const callAsTold: Scenario = (setup) =>
  withClient(setup, async (client) => {
    await client.listTools();
    const calls = setup.context['toolCalls'] as readonly Parameters<Client['callTool']>[0][];
    for (const call of calls) await client.callTool(call);
  });

const callValidTools: Scenario = (setup) =>
  withClient(setup, async (client) => {
    const { tools } = await client.listTools();
    for (const tool of tools) await client.callTool({ name: tool.name, arguments: fillIn(tool) });
  });

const echoSchema: Scenario = (setup) =>
  withClient(setup, async (client) => {
    const { tools } = await client.listTools();
    const schema = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema;
    await client.callTool({ name: 'json_schema_echo', arguments: { schema } });
  });

const SCENARIOS: { readonly [name: string]: Scenario } = {
  'json-schema-ref-no-deref': listTools,
  'request-metadata': listTools,
  'elicitation-sep1034-client-defaults': acceptDefaults,
  'sse-retry': reconnect,
  'sep-2322-client-request-state': keepStates,
  'http-standard-headers': callEverything,
  'http-custom-headers': callAsTold,
  'http-invalid-tool-headers': callValidTools,
  'json-schema-2020-12-preservation': echoSchema,
  'sep-2640-client-no-prefetch': listSkills,
  'sep-2640-client-verify-digest': readSkills,
  'sep-2640-client-verify-size': readSkills,
  'sep-2640-client-verify-frontmatter': readSkills,
};

/** A value of each type, for arguments that have to be there. */
const SAMPLES: { readonly [type: string]: unknown } = {
  string: 'desk',
  number: 2,
  integer: 3,
  boolean: true,
  object: {},
  array: [],
};

function fillIn({ inputSchema }: Tool): Record<string, unknown> {
  const { properties = {}, required = [] } = inputSchema;
  return Object.fromEntries(
    required.map((name) => {
      const { type } = (properties[name] ?? {}) as { readonly type?: string };
      return [name, SAMPLES[type ?? 'string']];
    }),
  );
}

/** Asks a server all that its clients use, by the official client, so that it can be compared with itself. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { withApplication } from '../applications/with-application.mjs';

/** Starts a built application, and asks each of its endpoints for each of its callers. */
export async function examineApplication(folder, application) {
  if (application.isPiped) {
    const transport = () =>
      new StdioClientTransport({ command: process.execPath, args: ['dist/main.js'], cwd: folder });
    return { pipe: await examine(transport(), application.endpoints[0]) };
  }
  const started = {
    start: ['dist/main.js'],
    environment: (port) => ({ PORT: String(port) }),
  };
  return withApplication(folder, started, async ({ url }) => {
    const findings = {};
    for (const endpoint of application.endpoints) {
      for (const [caller, headers] of Object.entries(endpoint.callers ?? { anybody: {} })) {
        const transport = new StreamableHTTPClientTransport(new URL(endpoint.path, url), {
          requestInit: { headers },
        });
        findings[`${endpoint.path} ${caller}`] = await examine(transport, endpoint);
      }
    }
    return findings;
  });
}

async function examine(transport, { calls = [], resources = [], prompts = [] }) {
  const client = new Client(
    { name: 'examiner', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { hour: 15 } }));
  try {
    await client.connect(transport);
  } catch {
    return 'refused';
  }
  try {
    const findings = {
      server: client.getServerVersion(),
      instructions: client.getInstructions(),
      tools: sortByName((await client.listTools()).tools.map(pickTool)),
    };
    if (resources.length > 0) {
      findings.resources = sortByName((await client.listResources()).resources.map(pickListed));
      findings.templates = sortByName(
        (await client.listResourceTemplates()).resourceTemplates.map(pickListed),
      );
    }
    if (prompts.length > 0) findings.prompts = (await client.listPrompts()).prompts.map(pickPrompt);
    for (const [name, input, isWrong = false] of calls) {
      const answer = await call(client, name, input);
      findings[`${name} ${JSON.stringify(input)}`] = isWrong ? { isError: answer.isError } : answer;
    }
    for (const uri of resources) findings[uri] = (await client.readResource({ uri })).contents;
    for (const [name, input] of prompts) {
      findings[`prompt ${name}`] = (await client.getPrompt({ name, arguments: input })).messages;
    }
    return findings;
  } finally {
    await client.close();
  }
}

/** Who may not call is refused in other words, and what is wrong with arguments is said in others too. */
async function call(client, name, input) {
  const progress = [];
  try {
    const {
      content,
      structuredContent,
      isError = false,
    } = await client.callTool(
      { name, arguments: input },
      { onprogress: (report) => progress.push(report.progress) },
    );
    return { said: structuredContent ?? content, isError, progress };
  } catch {
    return 'refused';
  }
}

function pickTool({ name, description, inputSchema, annotations }) {
  return { name, description, takes: Object.keys(inputSchema?.properties ?? {}), annotations };
}

function pickPrompt({ name, description, arguments: taken = [] }) {
  return { name, description, takes: taken.map((one) => one.name) };
}

function pickListed({ name, description, mimeType, uri, uriTemplate }) {
  return { name, description, mimeType, at: uri ?? uriTemplate };
}

/** Handlers that are added come in another order. */
function sortByName(listed) {
  return listed.toSorted((one, other) => one.name.localeCompare(other.name));
}

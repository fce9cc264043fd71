import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** What is asked of a server. */
export interface Questions {
  /** Tools to call, with their arguments, which may be wrong. */
  readonly calls: readonly (readonly [tool: string, input: Record<string, unknown>, isWrong?: true])[];
  readonly resources: readonly string[];
  readonly prompts: readonly (readonly [prompt: string, input: Record<string, string>])[];
}

/** What an official client finds at a server, as it must be before and after a migration. */
export type Findings = Readonly<Record<string, unknown>>;

/** Asks a server everything that its clients use. */
export async function examineServer(
  url: string,
  { calls, resources, prompts }: Questions,
): Promise<Findings> {
  const client = await connect(url);
  try {
    const findings: Record<string, unknown> = {
      server: client.getServerVersion(),
      instructions: client.getInstructions(),
      tools: (await client.listTools()).tools.map(pickTool),
    };
    if (resources.length > 0) {
      findings['resources'] = (await client.listResources()).resources.map(pickListed);
      findings['templates'] = (await client.listResourceTemplates()).resourceTemplates.map(pickListed);
    }
    if (prompts.length > 0) findings['prompts'] = (await client.listPrompts()).prompts;
    for (const [name, input, isWrong] of calls) {
      const {
        content,
        structuredContent,
        isError = false,
      } = await client.callTool({
        name,
        arguments: input,
      });
      // What is wrong with arguments is said in other words.
      const told = isWrong ? { isError } : { content, structuredContent, isError };
      findings[`${name} ${JSON.stringify(input)}`] = told;
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

/** Calls a tool, and gives the progress that was heard until its answer. */
export async function hearProgress(
  url: string,
  name: string,
  input: Record<string, unknown>,
): Promise<readonly number[]> {
  const client = await connect(url);
  try {
    const heard: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void heard.push(progress);
    await client.callTool({ name, arguments: input }, { onprogress });
    return heard;
  } finally {
    await client.close();
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ name: 'examiner', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { 'x-tenant': 'acme' } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

interface Listed {
  readonly name: string;
  readonly description?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly uri?: string;
  readonly uriTemplate?: string;
}

function pickTool({ name, description, inputSchema }: Listed & { readonly inputSchema: object }): object {
  const { properties = {} } = inputSchema as { readonly properties?: object };
  return { name, description, takes: properties };
}

function pickListed({ name, description, mimeType, uri, uriTemplate }: Listed): object {
  // RFC 6570 writes a variable of several segments otherwise.
  return { name, description, mimeType, at: uri ?? uriTemplate?.replace(/\{(\w+)\*\}/, '{+$1}') };
}

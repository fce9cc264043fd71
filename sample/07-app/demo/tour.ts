import type { Tokens } from '../board.module.js';
import { clickInBrowser } from './browser.js';
import { connectHost } from './host-client.js';
import { say, show } from './terminal.js';

/** What two kinds of hosts get of the board, and what a user does with it. */
export async function tour(url: URL, tokens: Tokens): Promise<void> {
  const allows = (scope: string): boolean => {
    show('User', `lets the host have "${scope}"`);
    return true;
  };
  say('A host that shows no apps: plain tools, and the board as text');
  const plain = await connectHost(url, { showsApps: false, tokens, allows });
  show('Tools', (await plain.listTools()).tools.map(({ name }) => name).join(', '));
  const { content } = await plain.callTool({ name: 'show_board' });
  const [text] = content;
  show('Text', text?.type === 'text' ? text.text : 'nothing');

  say('A host that shows apps: the tools say which, and the page is a resource');
  const host = await connectHost(url, { showsApps: true, tokens, allows });
  const { tools } = await host.listTools();
  for (const { name, _meta } of tools) show('Tool', `${name} ${JSON.stringify(_meta?.['ui'] ?? {})}`);
  const { contents } = await host.readResource({ uri: 'ui://board/board.html' });
  const [page] = contents;
  if (page !== undefined && 'text' in page) {
    show('Page', `${page.mimeType}, ${page.text.length} characters, with its style and its scripts in it`);
  }

  const others = await connectHost(url, {
    showsApps: false,
    tokens: { reading: tokens.writing, writing: tokens.writing },
    allows,
  });
  await clickInBrowser(host, others);
  await Promise.all([plain, host, others].map((client) => client.close()));
}

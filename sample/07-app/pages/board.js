const { host } = globalThis;
const list = document.getElementById('tickets');
const note = document.getElementById('note');

let change = -1;
const ending = new AbortController();

function show(board) {
  if (board === undefined || board.change <= change) return;
  change = board.change;
  list.replaceChildren(...board.tickets.map(buildRow));
  note.textContent = board.tickets.length === 0 ? 'Nothing to do' : '';
}

function buildRow({ id, title }) {
  const row = document.createElement('li');
  const button = document.createElement('button');
  button.textContent = `Close ticket ${id}`;
  button.addEventListener('click', () => close(id, title));
  row.append(title, button);
  return row;
}

/** It needs the scope "board:write": the host asks the user for it when the server says so. */
async function close(id, title) {
  note.textContent = `Closing ticket ${id} …`;
  try {
    const { isError, content } = await host.callTool('close_ticket', { id });
    note.textContent = content[0].text;
    if (!isError) await host.tell(`The user closed ticket ${id}, "${title}"`);
  } catch (error) {
    note.textContent = error.message;
  }
}

/** Has the server wait for the next change, again and again. */
async function follow() {
  while (!ending.signal.aborted) {
    try {
      const { structuredContent } = await host.callTool('wait_for_change', { since: change });
      show(structuredContent);
    } catch {
      // The host is busy, or the server starts again.
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  }
}

host.on('ui/notifications/tool-result', ({ structuredContent }) => {
  show(structuredContent);
  void follow();
});

host.on('ui/resource-teardown', () => {
  ending.abort();
});

void host.connect();

import type { AuthorizeOptions } from '../../lib/client/authorization/index.js';
import type { Keyboard } from '../command.interface.js';

const QUESTION = 'Waiting for the browser. If it cannot come back here, paste the address that it ended at: ';
const AGAIN = 'That is not the address at which this login ended. Paste it as a whole: ';

/**
 * Creates a reader for the address at which a browser on another machine ended. The user copies it to the terminal.
 */
export function createAnswerReader(
  keyboard: Keyboard,
): (options: AuthorizeOptions) => Promise<string | undefined> {
  let question = QUESTION;
  return async ({ signal }) => {
    const asked = question;
    question = AGAIN;
    for (;;) {
      const line = await keyboard.ask(asked, signal);
      // An empty line is a key that was pressed while nothing was asked.
      if (line?.trim() !== '') return line;
    }
  };
}

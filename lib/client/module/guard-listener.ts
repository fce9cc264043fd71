import { Logger } from '../../core/logger/logger.js';
import { Observers } from '../../core/log/observers.js';

const observers = new Observers(new Logger('McpClient'));

/** Guards a call from the function that its caller passed to follow it: if that fails, the call goes on. */
export function guardListener<Heard>(option: string, listen: (heard: Heard) => void): (heard: Heard) => void {
  return (heard) => {
    observers.run(`"${option}"`, () => listen(heard));
  };
}

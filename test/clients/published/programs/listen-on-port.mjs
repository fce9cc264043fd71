// The examples of the official SDK listen at fixed ports. Loaded before one of them, this has it listen at `PORT`.
import { Server } from 'node:net';

const { listen } = Server.prototype;

Server.prototype.listen = function listenOnPort(port, ...rest) {
  return listen.call(this, typeof port === 'number' ? Number(process.env.PORT) : port, ...rest);
};

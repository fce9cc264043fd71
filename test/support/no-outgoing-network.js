import { Socket } from 'node:net';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/;
const GUARDED = Symbol.for('nestjs-mcp.test.no-outgoing-network');

/** The host a call to `connect` leads to, in any of its forms; a pipe has none. */
function findHost([first, second]) {
  const target = Array.isArray(first) ? first[0] : first;
  if (typeof target === 'number') return typeof second === 'string' ? second : 'localhost';
  if (typeof target === 'string') return 'localhost';
  return target.path ? 'localhost' : (target.host ?? 'localhost');
}

const { connect } = Socket.prototype;

if (!connect[GUARDED]) {
  Socket.prototype.connect = function connectToLoopback(...target) {
    const host = findHost(target);
    if (!LOOPBACK.test(host))
      throw new Error(`A test connects to loopback only, but "${host}" was asked for`);
    return connect.apply(this, target);
  };
  Socket.prototype.connect[GUARDED] = true;
}

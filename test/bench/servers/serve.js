import {} from 'node:http';
import {} from 'node:net';
import {} from '../wire.js';
export function readSettings() {
    const [, , settings] = process.argv;
    if (settings === undefined)
        throw new Error('A bench server expects its settings as JSON in the first argument');
    return JSON.parse(settings);
}
/** Tells the harness the port, answers its questions for processor time, and ends when the harness does. */
export function reportReady(server) {
    process.on('message', () => process.send?.(process.cpuUsage()));
    process.on('disconnect', () => process.exit());
    process.send?.({ port: server.address().port });
}

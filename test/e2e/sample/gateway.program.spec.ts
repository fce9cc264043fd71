import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { NodeProgram } from '../../support/programs/node-program.js';

const program = (name: string) =>
  fileURLToPath(new URL(`../../../.build/sample/11-gateway/${name}.js`, import.meta.url));

describe('the sample 11-gateway', () => {
  it('shows two servers behind one endpoint (GATE-01) (GATE-02)', async () => {
    const demo = new NodeProgram(program('demo'));
    expect([await demo.exitCode(), demo.stderr]).toEqual([0, '']);
    const [, ...lines] = demo.stdout.trim().split('\n');
    expect(lines).toEqual([
      'Listed:  notes_add, notes_clear, weather_forecast',
      'Called:  Sunny in Oslo, with a light breeze',
      'Called:  1 notes',
      'Asked:   Delete 1 notes?',
      'Called:  All notes are deleted',
      'Read:    Harbor, Hill',
    ]);
  });

  it('starts, and ends with its processes', async () => {
    const gateway = new NodeProgram(program('main'), { PORT: '0' });
    await gateway.prints('notes_add text=milk');
    expect(await gateway.stop()).toBe(0);
  });

  it('names the port that cannot be used', async () => {
    const wrong = new NodeProgram(program('main'), { PORT: '70000' });
    expect(await wrong.exitCode()).toBe(1);
    expect(wrong.stderr).toContain('The gateway cannot start on the port "70000"');
  });
});

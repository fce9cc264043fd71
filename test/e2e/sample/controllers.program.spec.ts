import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { NodeProgram } from '../../support/programs/node-program.js';

const program = (name: string) =>
  fileURLToPath(new URL(`../../../.build/sample/12-controllers/${name}.js`, import.meta.url));

describe('the sample 12-controllers', () => {
  it('shows the routes of a REST API as tools (ROUTE-01) (ROUTE-02)', async () => {
    const demo = new NodeProgram(program('demo'));
    expect([await demo.exitCode(), demo.stderr]).toEqual([0, '']);
    const [, ...lines] = demo.stdout.trim().split('\n');
    expect(lines).toEqual([
      'Listed:  articles_search, which only reads',
      'Listed:  articles_get, which only reads',
      'Listed:  articles_add',
      'Called:  articles_search [{"id":1,"name":"Boots","price":90}]',
      'Called:  articles_get fails: There is no article 7',
      'Called:  articles_add fails: Forbidden resource',
      'Called:  articles_add fails: price must not be less than 0',
      'Called:  articles_add {"id":3,"name":"Umbrella","price":20}',
      'Fetched: {"id":3,"name":"Umbrella","price":20}',
    ]);
  });

  it('starts, and ends', async () => {
    const shop = new NodeProgram(program('main'), { PORT: '0' });
    await shop.prints('articles_add name=Umbrella');
    expect(await shop.stop()).toBe(0);
  });

  it('names the port that cannot be used', async () => {
    const wrong = new NodeProgram(program('main'), { PORT: '70000' });
    expect(await wrong.exitCode()).toBe(1);
    expect(wrong.stderr).toContain('The shop cannot start on the port "70000"');
  });
});

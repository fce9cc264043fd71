import { Injectable } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Arguments, Resource, ResourceTemplate } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { runHere } from '../../support/programs/run-here.js';

@Injectable()
class DeskResources {
  @Resource({ uri: 'desk://rules', description: 'What holds\nfor all', mimeType: 'text/plain' })
  rules(): string {
    return 'Be kind.\nNo \u001b[31mred.';
  }

  @Resource({ uri: 'desk://logo', name: 'logo', mimeType: 'image/png' })
  logo(): Buffer {
    return Buffer.from([1, 2, 3, 4]);
  }

  @ResourceTemplate({ uriTemplate: 'desk://tickets/{id}', description: 'A ticket' })
  ticket(@Arguments() { id }: { readonly id: string }): object {
    return { id };
  }
}

describe('nestjs-mcp-cli resources', () => {
  let desk: RunningApp | undefined;

  afterEach(async () => {
    await desk?.close();
    desk = undefined;
  });

  it('lists what can be read, and the templates of others (CLI-20)', async () => {
    desk = await bootServer({ providers: [DeskResources] });
    const { code, stdout, stderr } = await runHere(['resources', desk.url]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').toSorted()).toEqual([
      '',
      'desk://logo  logo  (image/png)',
      'desk://rules  What holds for all  (text/plain)',
      expect.stringMatching(/^desk:\/\/tickets\/\{id\} {2}A ticket/),
    ]);
  });

  it('prints the list as the server has it (CLI-20)', async () => {
    desk = await bootServer({ providers: [DeskResources] });
    const { stdout } = await runHere(['resources', desk.url, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      resources: [{ uri: expect.any(String) }, { uri: expect.any(String) }],
      resourceTemplates: [{ uriTemplate: 'desk://tickets/{id}' }],
    });
  });

  it('reads one, without what a terminal obeys (CLI-20)', async () => {
    desk = await bootServer({ providers: [DeskResources] });
    const { code, stdout } = await runHere(['resources', desk.url, 'desk://rules']);
    expect([code, stdout]).toEqual([0, 'Be kind.\nNo \u{fffd}[31mred.\n']);
  });

  it('reads one of a template, and prints it as the server has it (CLI-20)', async () => {
    desk = await bootServer({ providers: [DeskResources] });
    const { stdout } = await runHere(['resources', desk.url, 'desk://tickets/7', '--json']);
    const { contents } = JSON.parse(stdout) as { readonly contents: readonly { readonly text: string }[] };
    expect(JSON.parse(contents[0]?.text ?? '')).toEqual({ id: '7' });
  });

  it('shows bytes by a line about them (CLI-20)', async () => {
    desk = await bootServer({ providers: [DeskResources] });
    const { stdout } = await runHere(['resources', desk.url, 'desk://logo']);
    expect(stdout).toBe('[resource desk://logo image/png, 4 bytes]\n');
  });

  it('ends with 1 where the server has no such resource (CLI-20)', async () => {
    desk = await bootServer({ providers: [DeskResources] });
    const { code, stdout, stderr } = await runHere(['resources', desk.url, 'desk://nothing']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^The server rejected the request with -32\d+: /);
  });

  it('says so where there are none (CLI-20)', async () => {
    desk = await bootServer();
    expect(await runHere(['resources', desk.url])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'The server has no resources\n',
    });
  });

  it('ends with 2 where it is called wrongly (CLI-20)', async () => {
    expect(await runHere(['resources'])).toMatchObject({ code: 2 });
    expect(await runHere(['resources', 'http://127.0.0.1:1/mcp', 'a:b', 'c:d'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('expected one resource URI'),
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import { parseDoctorOptions } from '../../../cli/doctor/doctor-options.js';

describe('parseDoctorOptions()', () => {
  it('takes the file of an application for production', () => {
    const options = parseDoctorOptions(['--production', 'dist/app.module.js', '--json'], {});
    expect(options).toEqual({ module: 'dist/app.module.js', json: true });
  });

  it.each([
    [['dist/app.module.js'], 'To examine the settings of an app, pass "--production" with its file'],
    [
      ['--production', 'dist/app.module.js', '--token', 'a'],
      '"--token" applies only to the URL of a running server',
    ],
    [['--production', 'localhost:3000/mcp'], 'The URL must start with "https://" or "http://"'],
    [['127.0.0.1:3000/mcp'], 'The URL must start with "https://" or "http://"'],
    [[], 'Missing argument: the endpoint URL'],
    [['--production'], 'Expected one argument'],
  ])('refuses %j', (args, message) => {
    expect(() => parseDoctorOptions(args, {})).toThrow(message);
  });
});

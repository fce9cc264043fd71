import { describe, expect, it } from '@jest/globals';
import { assertClientMetadataUrl } from '../../../../../lib/client/authorization/registration/registrar.js';

describe('The URL of a client metadata document (OAuth Client ID Metadata Document §3)', () => {
  it.each([
    'https://app.example.com/client.json',
    'https://app.example.com:8443/oauth/client.json?version=2',
    'https://conformance-test.local/client-metadata.json',
  ])('can be %s (CLI-06)', (url) => {
    expect(() => assertClientMetadataUrl(url)).not.toThrow();
  });

  it.each([
    'http://app.example.com/client.json',
    'http://localhost/client.json',
    'https://app.example.com',
    'https://app.example.com/',
    'https://app.example.com/client.json#it',
    'https://app.example.com/client.json#',
    'https://ada@app.example.com/client.json',
    'https://ada:secret@app.example.com/client.json',
    'https://app.example.com/a/../client.json',
    'https://app.example.com/a/%2e%2E/client.json',
    'https://app.example.com/./client.json',
    'https://app.example.com/..',
    'https://APP.example.com/client.json',
    'https://app.example.com:443/client.json',
    ' https://app.example.com/client.json',
    'https://app.example.com/client one.json',
    'app.example.com/client.json',
    '',
  ])('cannot be %j, which is not repeated (CLI-06)', (url) => {
    expect(() => assertClientMetadataUrl(url)).toThrow(
      /^The "clientMetadataUrl" must be an "https:" URL with a path, such as "https:\/\/app\.example\.com\/client\.json", and must equal the "client_id" in that document$/,
    );
  });
});

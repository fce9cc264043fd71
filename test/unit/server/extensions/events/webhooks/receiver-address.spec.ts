import { describe, expect, it } from '@jest/globals';
import {
  resolveReceiver,
  parseReceiverUrl,
} from '../../../../../../lib/server/extensions/events/webhooks/receiver-address.js';
import { WebhookReceiverError } from '../../../../../../lib/server/extensions/events/webhooks/webhook.error.js';

const STRICT = { allowHttp: false, allowPrivateAddresses: false };

/** Ways to write an address that is not the internet's: the host of a URL, and what it is. */
const REFUSED_HOSTS: readonly (readonly [string, string])[] = [
  ['127.0.0.1', 'loopback'],
  ['127.0.0.2', 'the loopback range'],
  ['127.255.255.254', 'the end of the loopback range'],
  ['2130706433', 'loopback as a decimal number'],
  ['3232235521', 'a private address as a decimal number'],
  ['2852039166', 'metadata as a decimal number'],
  ['0x7f000001', 'loopback as a hexadecimal number'],
  ['0X7F000001', 'loopback in capitals'],
  ['0x7f.0x0.0x0.0x1', 'loopback in hexadecimal parts'],
  ['0xa9fea9fe', 'metadata as a hexadecimal number'],
  ['017700000001', 'loopback as an octal number'],
  ['0177.0.0.1', 'loopback with an octal part'],
  ['0300.0250.0.1', 'a private address in octal parts'],
  ['00000177.0.0.1', 'an octal part with zeros before it'],
  ['0x7f.1', 'loopback in two parts, one hexadecimal'],
  ['127.1', 'loopback in two parts'],
  ['127.0.1', 'loopback in three parts'],
  ['10.1', 'a private address in two parts'],
  ['0', 'this host in one part'],
  ['0.0.0.0', 'this host'],
  ['0.1.2.3', 'this network'],
  ['127.0.0.1.', 'loopback with a dot behind'],
  ['①②⑦.⓪.⓪.①', 'loopback in circled digits'],
  ['127。0。0。1', 'loopback with full stops of another script'],
  ['１２７.0.0.1', 'loopback in wide digits'],
  ['127.0.0.%31', 'loopback with an escaped digit'],
  ['10.0.0.1', 'private'],
  ['10.255.255.255', 'the end of a private range'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'the end of a private range'],
  ['192.168.0.1', 'private'],
  ['100.64.0.1', 'behind a carrier'],
  ['100.127.255.255', 'the end of the carrier range'],
  ['100.100.100.200', 'metadata of Alibaba'],
  ['169.254.169.254', 'metadata of most clouds'],
  ['169.254.170.2', 'metadata of containers'],
  ['168.63.129.16', 'what Azure serves its machines'],
  ['192.0.0.192', 'metadata of Oracle'],
  ['192.0.2.1', 'documentation'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['198.18.0.1', 'benchmarks'],
  ['198.19.255.255', 'the end of benchmarks'],
  ['192.88.99.1', 'a relay of 6to4'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'the end of multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['[::]', 'the unspecified address'],
  ['[::1]', 'loopback of IPv6'],
  ['[0:0:0:0:0:0:0:1]', 'loopback of IPv6 in full'],
  ['[::ffff:127.0.0.1]', 'loopback mapped, dotted'],
  ['[::ffff:7f00:1]', 'loopback mapped, in hexadecimal'],
  ['[::FFFF:A9FE:A9FE]', 'metadata mapped'],
  ['[0:0:0:0:0:ffff:10.0.0.1]', 'a private address mapped, in full'],
  ['[::ffff:8.8.8.8]', 'a public address mapped'],
  ['[::127.0.0.1]', 'loopback in a compatible address'],
  ['[::ffff:0:127.0.0.1]', 'loopback translated'],
  ['[64:ff9b::7f00:1]', 'loopback by NAT64'],
  ['[64:ff9b::169.254.169.254]', 'metadata by NAT64, dotted'],
  ['[64:ff9b:1::a00:1]', 'a private address by local NAT64'],
  ['[2002:7f00:1::]', 'loopback by 6to4'],
  ['[2002:c0a8:1::1]', 'a private address by 6to4'],
  ['[2001:0:7f00:1::]', 'Teredo'],
  ['[2001::1]', 'Teredo'],
  ['[2001:2::1]', 'benchmarks of IPv6'],
  ['[2001:10::1]', 'ORCHID'],
  ['[2001:db8::1]', 'documentation of IPv6'],
  ['[3fff::1]', 'documentation of IPv6'],
  ['[100::1]', 'discarded'],
  ['[fc00::1]', 'unique local'],
  ['[fd12:3456:789a::1]', 'unique local'],
  ['[fd00:ec2::254]', 'metadata of AWS'],
  ['[fe80::1]', 'link-local'],
  ['[febf::1]', 'the end of link-local'],
  ['[fe80::1%25eth0]', 'link-local with a zone'],
  ['[fe80::1%eth0]', 'link-local with a zone, not escaped'],
  ['[fec0::1]', 'site-local'],
  ['[ff02::1]', 'multicast of IPv6'],
  ['[5f00::1]', 'segment routing'],
  ['[4000::1]', 'not given out'],
  ['localhost', 'this machine'],
  ['LOCALHOST', 'this machine in capitals'],
  ['localhost.', 'this machine with a dot behind'],
  ['localhost..', 'this machine with two dots behind'],
  ['loc%61lhost', 'this machine with an escaped letter'],
  ['hooks.localhost', 'a name of this machine'],
  ['localhost.localdomain', 'a name of this machine'],
  ['printer.local', 'a name of multicast DNS'],
  ['metadata.google.internal', 'metadata of Google'],
  ['router.home.arpa', 'a name of a home'],
  ['intranet', 'a name without a dot'],
  ['kubernetes.', 'a name without a dot inside'],
];

/** Whole URLs that are refused for more than their host. */
const REFUSED_URLS: readonly (readonly [string, string])[] = [
  ['http://hooks.example.com/', 'without encryption'],
  ['HTTP://hooks.example.com/', 'without encryption, in capitals'],
  ['ftp://hooks.example.com/', 'by another protocol'],
  ['file:///etc/passwd', 'a file'],
  ['data:,x', 'no place at all'],
  ['javascript:alert(1)', 'a script'],
  ['//hooks.example.com/', 'relative'],
  ['hooks.example.com', 'a host alone'],
  ['', 'empty'],
  ['https://', 'without a host'],
  ['https://user@hooks.example.com/', 'a user'],
  ['https://user:secret@hooks.example.com/', 'a user and a password'],
  ['https://:secret@hooks.example.com/', 'a password'],
  ['https://hooks.example.com@127.0.0.1/', 'a host that is a user'],
  ['https:127.0.0.1', 'without slashes'],
  ['https:\\\\127.0.0.1\\', 'with backslashes'],
  ['https://127.0.0.1\\@hooks.example.com/', 'a host before a backslash'],
  ['\thttps://127.0.0.1/', 'with a tab before it'],
  ['https://127.0.\n0.1/', 'with a line break inside'],
  ['https://256.256.256.256/', 'no address'],
  ['https://1.2.3.4.5/', 'too many parts'],
  ['https://hooks.example.com:99999/', 'no port'],
  [`https://hooks.example.com/${'x'.repeat(2048)}`, 'too long'],
];

const ALLOWED_HOSTS = [
  'hooks.example.com',
  'hooks.example.com.',
  'hooks.example.com:8443',
  'localhost.example.com',
  'xn--bcher-kva.example',
  '8.8.8.8',
  '1.1.1.1',
  '100.63.255.255',
  '100.128.0.1',
  '126.255.255.255',
  '128.0.0.1',
  '168.63.129.17',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '192.169.0.1',
  '198.17.255.255',
  '198.20.0.1',
  '223.255.255.255',
  '[2606:4700:4700::1111]',
  '[2a00:1450:4001:82a::200e]',
  '[2001:4860:4860::8888]',
  '[2001:200::1]',
  '[2003::1]',
];

describe('The URL of a webhook receiver', () => {
  it.each(REFUSED_HOSTS)('is refused with the host %s, which is %s (EVT-01)', (host) => {
    const parse = () => parseReceiverUrl(`https://${host}/hook`, STRICT);
    expect(parse).toThrow(WebhookReceiverError);
  });

  it.each(REFUSED_URLS)('is refused as %j: %s (EVT-01)', (url) => {
    expect(() => parseReceiverUrl(url, STRICT)).toThrow(WebhookReceiverError);
  });

  it.each(ALLOWED_HOSTS)('may have the host %s (EVT-01)', async (host) => {
    const url = parseReceiverUrl(`https://${host}/hook?key=1`, STRICT);
    const resolveHost = () => Promise.resolve([{ address: '8.8.8.8', family: 4 }]);
    const policy = { allowPrivateAddresses: false, resolveHost };
    await expect(resolveReceiver(url, policy, new AbortController().signal)).resolves.toHaveLength(1);
  });

  it('may be of HTTP where that is allowed, and of nothing else (EVT-01)', () => {
    const policy = { ...STRICT, allowHttp: true };
    expect(parseReceiverUrl('http://hooks.example.com/', policy).protocol).toBe('http:');
    expect(() => parseReceiverUrl('ftp://hooks.example.com/', policy)).toThrow(WebhookReceiverError);
    expect(() => parseReceiverUrl('http://127.0.0.1/', policy)).toThrow(WebhookReceiverError);
  });

  it('may lead anywhere where that is allowed, but still not by HTTP or with a password (EVT-01)', () => {
    const policy = { ...STRICT, allowPrivateAddresses: true };
    expect(parseReceiverUrl('https://127.0.0.1/', policy).hostname).toBe('127.0.0.1');
    expect(parseReceiverUrl('https://intranet/', policy).hostname).toBe('intranet');
    expect(() => parseReceiverUrl('http://127.0.0.1/', policy)).toThrow(WebhookReceiverError);
    expect(() => parseReceiverUrl('https://a:b@intranet/', policy)).toThrow(WebhookReceiverError);
  });

  it('is told apart where it is malformed from where it leads (EVT-01)', () => {
    const codeOf = (url: string) => {
      try {
        return parseReceiverUrl(url, STRICT).href;
      } catch (error) {
        return (error as WebhookReceiverError).code;
      }
    };
    expect(codeOf('http://hooks.example.com/')).toBe(-32602);
    expect(codeOf('https://a@hooks.example.com/')).toBe(-32602);
    expect(codeOf('nowhere')).toBe(-32602);
    expect(codeOf('https://10.0.0.1/')).toBe(-32015);
  });

  it('is refused without a word of what it was (EVT-01)', () => {
    expect(() => parseReceiverUrl('https://10.0.0.1/token', STRICT)).toThrow(
      'The receiver "url" must point only to public addresses that accept connections',
    );
  });
});

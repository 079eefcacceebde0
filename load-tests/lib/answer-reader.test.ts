import { createAnswerReader } from './answer-reader.ts';

const answer = (status: string, body: string) =>
  `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const [first, second] = [answer('200 OK', '{"name":"é"}'), answer('404 Not Found', '')] as const;

test.each([1, 7, 60, 1000])('answers that come in chunks of %i bytes are whole at their end', (size) => {
  const statuses: string[] = [];
  const isWhole = createAnswerReader((status) => statuses.push(status));
  for (const text of [first, second, first]) {
    const bytes = Buffer.from(text);
    const ends: boolean[] = [];
    for (let at = 0; at < bytes.length; at += size) ends.push(isWhole(bytes.subarray(at, at + size)));
    expect(ends.indexOf(true)).toBe(ends.length - 1);
  }
  expect(statuses).toEqual(['200', '404', '200']);
});

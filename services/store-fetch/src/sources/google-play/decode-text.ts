import { refusePage, type StoreAnswer } from '../../http/call-store.ts';

/** @throws StoreFailure when the answer is not UTF-8: a title with replacement characters would be a wrong title */
export function decodeText(answer: StoreAnswer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(answer.body);
  } catch {
    throw refusePage(answer, 'sent a text that is not UTF-8');
  }
}

import { z } from 'zod';
import {
  answerShareOfVoice,
  getShareOfVoice,
  type ShareOfVoiceDeps,
} from '../../routes/get-share-of-voice.ts';
import { defineRoute } from '../../routes/route/define-route.ts';

/** The visibilities of one day of the history, 0 to 100, by app; null: as the shares, or there are fewer than five terms. */
const raceDay = z.record(z.string(), z.number().nullable());

/** The shares of voice, and the visibility of the same apps over the same terms and result pages. For the page only: one call. */
export const getVoiceAndRace = defineRoute({
  method: 'get',
  path: '/dashboard/apps/{id}/voice',
  operationId: 'getVoiceAndRace',
  tag: 'Applications',
  summary: 'Get shares of voice with visibilities by day',
  description: 'Of the page of rivals.',
  cost: 0,
  services: ['tracking', 'scoring'],
  deadlineMs: 5000,
  params: getShareOfVoice.params,
  query: getShareOfVoice.query,
  data: z.object({ voice: getShareOfVoice.data, race: z.array(raceDay) }),
  async handler(deps: ShareOfVoiceDeps, request) {
    const { answer, visibilities } = await answerShareOfVoice(deps, request, { withVisibility: true });
    return { data: { voice: answer.data, race: visibilities } };
  },
});

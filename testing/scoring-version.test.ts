import { scoringVersion as nicheVersion } from '@shelfwise/niche/domain/scoring-version';
import { scoringVersion } from '@shelfwise/scoring/domain/scoring-version';

// A service does not import another one, so the niche service has a version of its own.
test('niche analyses of older scores are not served', () => {
  expect(nicheVersion).toBe(scoringVersion);
});

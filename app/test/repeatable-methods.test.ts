import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { descriptorSet } from '@shelfwise/proto/descriptor-set';
import { repeatableMethods } from '@shelfwise/proto/repeatable-methods';

test('every RPC that writes something of an account, or starts work, is sent once; all others may be repeated', () => {
  const files = fromBinary(FileDescriptorSetSchema, Buffer.from(descriptorSet, 'base64')).file;
  const sentOnce = files
    .flatMap((file) =>
      file.service.flatMap(({ name, method }) => method.map((rpc) => `/${file.package}.${name}/${rpc.name}`)),
    )
    .filter((path) => path.startsWith('/shelfwise.') && !repeatableMethods.has(path))
    .map((path) => path.split('/')[2]);
  expect(sentOnce.toSorted()).toEqual([
    'AddNote',
    'AnalyzeNiche',
    'CancelJob',
    'CancelJob',
    'ConfirmAlertChannel',
    'CreateAlertChannel',
    'CreateAlertDigest',
    'CreateAlertRule',
    'CreateJob',
    'CreateJob',
    'DeleteAccountRows',
    'DeleteAlertChannel',
    'DeleteAlertDigest',
    'DeleteAlertRule',
    'DeleteKeywordsField',
    'InspectKeyword',
    'RedeliverAlerts',
    'RemoveNote',
    'RunAutocomplete',
    'RunJobBatch',
    'RunJobBatch',
    'SetKeywordFavorite',
    'SetKeywordsField',
    'SimulateListing',
    'StartSnapshotRun',
    'TakeJobBatch',
    'TakeJobBatch',
    'TestAlertChannel',
    'TrackApplication',
    'TrackCompetitor',
    'TrackKeywords',
    'UnsubscribeAlertChannel',
    'UntrackApplication',
    'UntrackCompetitor',
    'UntrackKeyword',
    'UpdateAlertChannel',
    'UpdateAlertDigest',
    'UpdateAlertRule',
  ]);
});

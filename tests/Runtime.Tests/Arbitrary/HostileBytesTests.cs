using System.Buffers.Binary;
using System.Runtime.ExceptionServices;
using BufferedMessages.Wire;
using Xunit.Abstractions;

namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>
/// Damaged messages are verified, read through their views and copied, as <see cref="DamagedMessages"/> says. They lie against pages that
/// cannot be touched, and a hang ends as a failure.
/// </summary>
[Collection(ArbitraryTypesCollection.Name)]
public class HostileBytesTests(ArbitraryTypes types, ITestOutputHelper output)
{
    private const int MessageCount = 200;
    private const int MaxMessageBytes = 512;
    private const int MemoryBytes = 1024 * 1024;
    private const int MaxExhaustiveBytes = 192;
    private const int ExhaustiveStep = 8;
    private const int ExhaustiveChanges = 500_000;

    // A run damages more than a million messages.
    private const int MinByteChanges = 650_000;
    private const int MinFrontChanges = 100_000;
    private const int MinTruncations = 80_000;
    private const int SeveralChanges = 500;
    private const int MinSeveralChanges = MessageCount * SeveralChanges;
    private const int MinUnknown = 1_000;
    private const int MinVerifiedBySchema = 100_000;
    private const int EditedMessages = 100;
    private const int EditsPerMessage = 500;
    private const int MinDamagesWhileEdited = EditedMessages * EditsPerMessage;
    private const int MinEdits = MinDamagesWhileEdited / 2;
    private const int Spare = 64;
    private const byte Untouched = 0xEE;
    private const int ChangesWhileRead = 50_000;
    private const int ReadsWhileItChanges = 200;
    private static readonly TimeSpan HangTimeout = TimeSpan.FromMinutes(5);

    private readonly HashSet<string> _brokenRules = new(StringComparer.Ordinal);
    private int _unknown;
    private int _verifiedBySchema;
    private int _edited;

    [Fact]
    public void Every_truncation_reads_or_is_malformed() => InsideOfTimeout(() =>
        Each(MaxMessageBytes, MinTruncations, (damaged, original, memory, _) =>
        {
            for (var length = 0; length < original.Length; length++)
            {
                var bytes = memory.End(length);
                original.AsSpan(0, length).CopyTo(bytes);
                Assert.False(damaged.Reads(bytes), "A message that is not complete was read.");
                damaged.Check(bytes);

                // The same with a header that says so, as far as it can.
                if (length >= 8)
                {
                    BinaryPrimitives.WriteInt32LittleEndian(bytes[4..], length & ~7);
                    damaged.Check(bytes);
                }
            }
        }));

    // All changes of some small messages; of the others a sample.
    [Fact]
    public void Every_changed_byte_reads_or_is_malformed() => InsideOfTimeout(() =>
    {
        var message = (uint)types.Seed;
        var exhausted = 0;
        Each(MaxExhaustiveBytes, MinByteChanges, (damaged, original, memory, random) =>
        {
            var isExhaustive = message++ % ExhaustiveStep == 0 && exhausted < ExhaustiveChanges && original.Length <= MaxExhaustiveBytes;
            var bytes = memory.End(original.Length);
            original.CopyTo(bytes);
            for (var position = 0; position < bytes.Length; position++)
            {
                foreach (var value in isExhaustive ? EveryOtherValue(original[position]) : SomeValues(original[position], random))
                {
                    bytes[position] = value;
                    damaged.Check(bytes);
                }

                bytes[position] = original[position];
            }

            exhausted += isExhaustive ? damaged.Count : 0;
        });
        Assert.True(exhausted >= ExhaustiveChanges, $"Only {exhausted} changes are all those of a message.");
        Assert.Superset(new HashSet<string>([WireRule.DictionaryHeader, WireRule.SetHeader, WireRule.Buckets, WireRule.KeyOrder, WireRule.Case], StringComparer.Ordinal), _brokenRules);
        Assert.True(_unknown >= MinUnknown, $"Only {_unknown} valid messages have a case that is not known.");
        Assert.True(_verifiedBySchema >= MinVerifiedBySchema, $"Only {_verifiedBySchema} damaged messages were verified by their schema alone.");
    });

    [Fact]
    public void Nothing_in_front_of_a_changed_message_is_read() => InsideOfTimeout(() =>
        Each(MaxMessageBytes, MinFrontChanges, (damaged, original, memory, random) =>
        {
            var bytes = memory.Start(original.Length);
            original.CopyTo(bytes);
            for (var position = 0; position < bytes.Length; position++)
            {
                foreach (var value in (ReadOnlySpan<byte>)[0xFF, 0x80, (byte)random.Next(256)])
                {
                    bytes[position] = value;
                    damaged.Check(bytes);
                }

                bytes[position] = original[position];
            }
        }));

    [Fact]
    public void Several_changed_bytes_read_or_are_malformed() => InsideOfTimeout(() =>
        Each(MaxMessageBytes, MinSeveralChanges, (damaged, original, memory, random) =>
        {
            var bytes = memory.End(original.Length);
            for (var round = 0; round < SeveralChanges; round++)
            {
                original.CopyTo(bytes);
                for (var change = random.Next(2, 8); change > 0; change--)
                {
                    bytes[random.Next(8, bytes.Length)] = (byte)random.Next(256);
                }

                damaged.Check(bytes);
            }
        }));

    // The guard is behind the message or in front of it; on the other side are bytes that must stay as they are, and so must those behind
    // the end that the header says.
    [Fact]
    public void Members_set_in_a_damaged_message_change_nothing_outside_of_it() => InsideOfTimeout(() =>
    {
        MessageCase[] editable = [.. types.Cases.Where(static one => one.HasWriter)];
        Each(editable, EditedMessages, MaxMessageBytes, MinDamagesWhileEdited, (damaged, original, memory, random) =>
        {
            for (var round = 0; round < EditsPerMessage; round++)
            {
                var isAtEnd = round % 2 == 0;
                var around = isAtEnd ? memory.End(original.Length + Spare) : memory.Start(original.Length + Spare);
                around.Fill(Untouched);
                var bytes = isAtEnd ? around[Spare..] : around[..original.Length];
                original.CopyTo(bytes);
                if (round % 4 < 2)
                {
                    Shorten(bytes, random);
                }

                for (var change = random.Next(0, 4); change > 0; change--)
                {
                    bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
                }

                damaged.CheckEdited(bytes, new Editor(new ArbitraryValues(round), isShared: false));
                Assert.True((isAtEnd ? around[..Spare] : around[original.Length..]).IndexOfAnyExcept(Untouched) < 0, "Bytes outside of the message were written.");
            }
        });
        Assert.True(_edited >= MinEdits, $"Only {_edited} messages were edited.");
    });

    [Fact]
    public void Bytes_that_change_while_they_are_read_read_or_are_malformed() => InsideOfTimeout(() =>
    {
        using var memory = new GuardedMemory(MemoryBytes);
        var random = new Random(types.Seed);
        for (var count = 0; count < ChangesWhileRead; count += ReadsWhileItChanges)
        {
            var target = types.Cases[random.Next(types.Cases.Count)];
            var original = MakeMessage(target, random.Next(), MaxMessageBytes);
            using var scribbler = new Scribbler(memory, original);
            var damaged = new DamagedMessages(target, original);
            for (var round = 0; round < ReadsWhileItChanges; round++)
            {
                damaged.CheckWhileItChanges(memory.End(original.Length));
            }
        }

        output.WriteLine($"{ChangesWhileRead} messages that a second thread changed, seed {types.Seed}");
    });

    private void Each(int messageBytes, int minDamages, Action<DamagedMessages, byte[], GuardedMemory, Random> attack) =>
        Each(types.Cases, MessageCount, messageBytes, minDamages, attack);

    private void Each(IReadOnlyList<MessageCase> cases, int messages, int messageBytes, int minDamages, Action<DamagedMessages, byte[], GuardedMemory, Random> attack)
    {
        using var memory = new GuardedMemory(MemoryBytes);
        var small = 0;
        var attacked = 0;
        var damages = 0;
        var verified = 0;
        for (var i = 0; i < cases.Count && attacked < messages; i++)
        {
            var round = i;
            types.Check(cases[i], round, (target, _) =>
            {
                // A few types have many structs, and no small messages: others take their place.
                var message = MakeMessage(target, round, messageBytes);
                if (message.Length <= MaxMessageBytes)
                {
                    attacked++;
                    small += message.Length <= messageBytes ? 1 : 0;
                    var damaged = new DamagedMessages(target, message);
                    attack(damaged, message, memory, new Random(round));
                    damages += damaged.Count;
                    _brokenRules.UnionWith(damaged.BrokenRules);
                    verified += damaged.VerifiedCount;
                    _unknown += damaged.UnknownCount;
                    _verifiedBySchema += damaged.VerifiedBySchemaCount;
                    _edited += damaged.EditedCount;
                }
            });
        }

        Assert.Equal(messages, attacked);
        output.WriteLine($"{messages} messages, {small} of them of at most {messageBytes} bytes, damaged {damages} times, {verified} still valid, {_unknown} with a case that is not known, {_edited} edited, seed {types.Seed}");
        Assert.True(damages >= minDamages, $"Only {damages} messages were damaged.");
    }

    // The largest of a few that is not too large, else the smallest.
    private byte[] MakeMessage(MessageCase target, int round, int messageBytes)
    {
        var made = Enumerable.Range(0, 16)
            .Select(attempt => target.MakeMessage(new ArbitraryValues(unchecked(types.Seed + (round * 31) + attempt))))
            .OrderBy(message => message.Length)
            .ToList();
        return made.LastOrDefault(message => message.Length <= messageBytes) ?? made[0];
    }

    // An older writer knew fewer members, and the message ends soon behind them.
    private static void Shorten(Span<byte> message, Random random)
    {
        var words = random.Next(BinaryPrimitives.ReadUInt16LittleEndian(message)) + 1;
        BinaryPrimitives.WriteUInt16LittleEndian(message, (ushort)words);
        BinaryPrimitives.WriteInt32LittleEndian(message[4..], Math.Min(message.Length, (words + 1 + random.Next(3)) * 8));
    }

    private static IEnumerable<byte> EveryOtherValue(byte original) => Enumerable.Range(1, byte.MaxValue).Select(step => (byte)(original + step));

    private static IEnumerable<byte> SomeValues(byte original, Random random) =>
    [
        0, byte.MaxValue, (byte)(original + 1), (byte)(original - 1), (byte)(original ^ (1 << random.Next(8))), (byte)(original ^ 0x80),
        (byte)random.Next(256), (byte)random.Next(256),
    ];

    private static void InsideOfTimeout(Action test)
    {
        ExceptionDispatchInfo? failure = null;
        var thread = new Thread(() =>
        {
            try
            {
                test();
            }
            catch (Exception exception)
            {
                failure = ExceptionDispatchInfo.Capture(exception);
            }
        })
        {
            IsBackground = true,
        };
        thread.Start();
        Assert.True(thread.Join(HangTimeout), "A read hangs.");
        failure?.Throw();
    }

    /// <summary>A thread that changes the bytes of a message until it is disposed.</summary>
    private sealed class Scribbler : IDisposable
    {
        private readonly Thread _thread;
        private volatile bool _isDone;

        public Scribbler(GuardedMemory memory, byte[] original)
        {
            original.CopyTo(memory.End(original.Length));
            _thread = new Thread(() =>
            {
                var random = new Random(original.Length);
                while (!_isDone)
                {
                    var bytes = memory.End(original.Length);
                    var position = random.Next(8, bytes.Length);
                    bytes[position] = (byte)random.Next(256);
                    bytes[random.Next(8, bytes.Length)] ^= (byte)(1 << random.Next(8));
                    Thread.SpinWait(random.Next(20));
                    original.CopyTo(bytes);
                }
            });
            _thread.Start();
        }

        public void Dispose()
        {
            _isDone = true;
            _thread.Join();
        }
    }
}

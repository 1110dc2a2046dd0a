using System.Buffers.Binary;
using System.Diagnostics;
using System.Runtime.ExceptionServices;
using Xunit.Abstractions;

namespace BufferedMessages.Runtime.Tests.Arbitrary;

/// <summary>
/// Damaged messages are read through their views and copied: this either works or throws <see cref="MalformedMessageException"/>. They lie
/// against pages that cannot be touched, and a hang ends as a failure.
/// </summary>
[Collection(ArbitraryTypesCollection.Name)]
public class HostileBytesTests(ArbitraryTypes types, ITestOutputHelper output)
{
    private const int MessageCount = 200;
    private const int MaxMessageBytes = 512;
    private const int MemoryBytes = 1024 * 1024;
    private const int MaxExhaustiveBytes = 192;
    private const int SampledValues = 16;
    private static readonly TimeSpan HangTimeout = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan ScribbleTime = TimeSpan.FromSeconds(4);

    [Fact]
    public void Every_truncation_reads_or_is_malformed() => InsideOfTimeout(() =>
        Each(MaxMessageBytes, (target, original, memory, _) =>
        {
            for (var length = 0; length < original.Length; length++)
            {
                var bytes = memory.End(length);
                original.AsSpan(0, length).CopyTo(bytes);
                Assert.False(Reads(target, bytes), "A message that is not complete was read.");

                // The same with a header that says so, as far as it can.
                if (length >= 8)
                {
                    BinaryPrimitives.WriteInt32LittleEndian(bytes[4..], length & ~7);
                    Reads(target, bytes);
                }
            }
        }));

    // Every value of every byte; of messages that cannot be made small a sample of the values.
    [Fact]
    public void Every_changed_byte_reads_or_is_malformed() => InsideOfTimeout(() =>
        Each(MaxExhaustiveBytes, (target, original, memory, random) =>
        {
            var bytes = memory.End(original.Length);
            original.CopyTo(bytes);
            for (var position = 0; position < bytes.Length; position++)
            {
                foreach (var value in ChangedValues(original[position], original.Length <= MaxExhaustiveBytes, random))
                {
                    bytes[position] = value;
                    Reads(target, bytes);
                }

                bytes[position] = original[position];
            }
        }));

    [Fact]
    public void Nothing_in_front_of_a_changed_message_is_read() => InsideOfTimeout(() =>
        Each(MaxMessageBytes, (target, original, memory, random) =>
        {
            var bytes = memory.Start(original.Length);
            original.CopyTo(bytes);
            for (var position = 0; position < bytes.Length; position++)
            {
                foreach (var value in (ReadOnlySpan<byte>)[0xFF, 0x80, (byte)random.Next(256)])
                {
                    bytes[position] = value;
                    Reads(target, bytes);
                }

                bytes[position] = original[position];
            }
        }));

    [Fact]
    public void Several_changed_bytes_read_or_are_malformed() => InsideOfTimeout(() =>
        Each(MaxMessageBytes, (target, original, memory, random) =>
        {
            var bytes = memory.End(original.Length);
            for (var round = 0; round < 1000; round++)
            {
                original.CopyTo(bytes);
                for (var change = random.Next(2, 8); change > 0; change--)
                {
                    bytes[random.Next(8, bytes.Length)] = (byte)random.Next(256);
                }

                Reads(target, bytes);
            }
        }));

    [Fact]
    public void Bytes_that_change_while_they_are_read_read_or_are_malformed() => InsideOfTimeout(() =>
    {
        using var memory = new GuardedMemory(MemoryBytes);
        var random = new Random(types.Seed);
        var clock = Stopwatch.StartNew();
        while (clock.Elapsed < ScribbleTime)
        {
            var target = types.Cases[random.Next(types.Cases.Count)];
            var original = MakeMessage(target, random.Next(), MaxMessageBytes);
            using var scribbler = new Scribbler(memory, original);
            for (var round = 0; round < 200; round++)
            {
                Reads(target, memory.End(original.Length));
            }
        }
    });

    private void Each(int messageBytes, Action<MessageCase, byte[], GuardedMemory, Random> attack)
    {
        using var memory = new GuardedMemory(MemoryBytes);
        var small = 0;
        var attacked = 0;
        for (var i = 0; i < types.Cases.Count && attacked < MessageCount; i++)
        {
            var round = i;
            types.Check(types.Cases[i], round, (target, _) =>
            {
                // A few types have many structs, and no small messages: others take their place.
                var message = MakeMessage(target, round, messageBytes);
                if (message.Length <= MaxMessageBytes)
                {
                    attacked++;
                    small += message.Length <= messageBytes ? 1 : 0;
                    attack(target, message, memory, new Random(round));
                }
            });
        }

        Assert.Equal(MessageCount, attacked);
        output.WriteLine($"{MessageCount} messages, {small} of them of at most {messageBytes} bytes, seed {types.Seed}");
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

    private static bool Reads(MessageCase target, ReadOnlySpan<byte> message)
    {
        try
        {
            target.ReadEverything(message);
            return true;
        }
        catch (MalformedMessageException)
        {
            return false;
        }
    }

    private static IEnumerable<byte> ChangedValues(byte original, bool isExhaustive, Random random)
    {
        for (var i = 1; i < 256 && isExhaustive; i++)
        {
            yield return (byte)(original + i);
        }

        for (var i = 0; i < SampledValues && !isExhaustive; i++)
        {
            yield return i switch
            {
                < 8 => (byte)(original ^ (1 << i)),
                8 => 0,
                9 => 0xFF,
                10 => (byte)(original + 1),
                11 => (byte)(original - 1),
                _ => (byte)random.Next(256),
            };
        }
    }

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

using System.Buffers.Binary;
using System.Numerics;
using FASTER.core;

namespace BufferedMessages.CacheBenchmarks;

/// <summary>
/// Microsoft FASTER as it is used well: values of bytes read in place, a hybrid log of the same memory, and half of the memory as a cache of what is read when not all of it fits.
/// An upsert overwrites a value of the last nine tenths of the log in place; with appending, each upsert is a new record,
/// as it must be where readers keep values, or a process that ends suddenly must leave the old value.
/// </summary>
internal sealed class FasterContender : ICacheContender
{
    // A read that goes to the disk is answered later; so many are under way at once.
    private const int PendingReads = 64;

    // Pages of the log that are not written to the disk yet, of those in memory.
    private const double AppendingFraction = 0.1;

    private readonly bool _isAppending;

    private readonly IDevice _device;
    private readonly FasterKV<long, SpanByte> _store;

    public FasterContender(CacheSetting setting, bool isAppending = false)
    {
        _isAppending = isAppending;
        Directory.CreateDirectory(setting.Directory);
        _device = Devices.CreateLogDevice(Path.Combine(setting.Directory, "faster.log"), deleteOnClose: false);
        var memoryBits = BitOperations.Log2((ulong)setting.MemoryBytes);
        var fits = setting.Ratio <= 1;
        var settings = new LogSettings
        {
            LogDevice = _device,
            PageSizeBits = Math.Min(22, memoryBits - 4),
            MemorySizeBits = fits ? memoryBits : memoryBits - 1,
            SegmentSizeBits = 30,
            MutableFraction = isAppending ? AppendingFraction : new LogSettings().MutableFraction,
            ReadCacheSettings = fits ? null : new ReadCacheSettings { PageSizeBits = Math.Min(22, memoryBits - 4), MemorySizeBits = memoryBits - 1 },
        };
        _store = new FasterKV<long, SpanByte>(
            (long)BitOperations.RoundUpToPowerOf2((ulong)setting.Keys) / 2,
            settings,
            new CheckpointSettings { CheckpointDir = Path.Combine(setting.Directory, "checkpoints") });
    }

    public string Name => _isAppending ? "FASTER 2.6.5 appending" : "FASTER 2.6.5";

    public ICacheSession NewSession() => new Session(_store.For(new Functions(_isAppending)).NewSession<Functions>());

    /// <summary>Writes what a later <see cref="Recover"/> needs.</summary>
    public void Save()
    {
        _store.TryInitiateFullCheckpoint(out _, CheckpointType.FoldOver);
        _store.CompleteCheckpointAsync().AsTask().GetAwaiter().GetResult();
    }

    public void Recover() => _store.Recover();

    public void Dispose()
    {
        _store.Dispose();
        _device.Dispose();
    }

    private sealed class Session(ClientSession<long, SpanByte, SpanByte, bool, Empty, Functions> session) : ICacheSession
    {
        public int ReadMany(ReadOnlySpan<int> keys)
        {
            var hits = 0;
            var pending = 0;
            var input = default(SpanByte);
            foreach (var key in keys)
            {
                long name = key;
                var isRight = false;
                var status = session.Read(ref name, ref input, ref isRight);
                if (status.IsPending)
                {
                    if (++pending == PendingReads)
                    {
                        hits += Complete();
                        pending = 0;
                    }
                }
                else
                {
                    hits += isRight ? 1 : 0;
                }
            }

            return hits + (pending == 0 ? 0 : Complete());
        }

        public bool Read(int key)
        {
            long name = key;
            var isRight = false;
            var input = default(SpanByte);
            return session.Read(ref name, ref input, ref isRight).IsPending ? Complete() == 1 : isRight;
        }

        public unsafe void WriteMany(ReadOnlySpan<int> keys, Span<byte> value)
        {
            fixed (byte* start = value)
            {
                var bytes = SpanByte.FromFixedSpan(value);
                foreach (var key in keys)
                {
                    BinaryPrimitives.WriteInt64LittleEndian(value, key);
                    long name = key;
                    session.Upsert(ref name, ref bytes);
                }
            }
        }

        public void Dispose() => session.Dispose();

        private int Complete()
        {
            var hits = 0;
            session.CompletePendingWithOutputs(out var outputs, wait: true);
            using (outputs)
            {
                while (outputs.Next())
                {
                    hits += outputs.Current.Output ? 1 : 0;
                }
            }

            return hits;
        }
    }

    private sealed class Functions(bool isAppending) : FunctionsBase<long, SpanByte, SpanByte, bool, Empty>
    {
        public override bool SingleReader(ref long key, ref SpanByte input, ref SpanByte value, ref bool dst, ref ReadInfo readInfo)
        {
            dst = CacheValue.IsOf((int)key, value.AsReadOnlySpan());
            return true;
        }

        public override bool ConcurrentReader(ref long key, ref SpanByte input, ref SpanByte value, ref bool dst, ref ReadInfo readInfo)
        {
            dst = CacheValue.IsOf((int)key, value.AsReadOnlySpan());
            return true;
        }

        public override bool SingleWriter(ref long key, ref SpanByte input, ref SpanByte src, ref SpanByte dst, ref bool output, ref UpsertInfo upsertInfo, WriteReason reason)
        {
            src.CopyTo(ref dst);
            return true;
        }

        public override bool ConcurrentWriter(ref long key, ref SpanByte input, ref SpanByte src, ref SpanByte dst, ref bool output, ref UpsertInfo upsertInfo)
        {
            // Then the upsert adds a record.
            if (isAppending || dst.Length < src.Length)
            {
                return false;
            }

            src.CopyTo(ref dst);
            return true;
        }
    }
}

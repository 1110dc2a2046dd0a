using System.Buffers.Binary;
using System.Globalization;

namespace BufferedMessages.CacheBenchmarks;

/// <summary>A file for each entry, in directories of some hundred files: the floor. Its memory is the system's file cache.</summary>
internal sealed class FilesContender(CacheSetting setting) : ICacheContender
{
    /// <summary>A million small files take minutes to make; the others are mapped to these.</summary>
    public const int Files = 20_000;

    private const int PerDirectory = 256;

    private readonly string _directory = System.IO.Directory.CreateDirectory(Path.Combine(setting.Directory, "files")).FullName;

    public string Name => "files";

    public ICacheSession NewSession() => new Session(_directory, setting.ValueBytes);

    public void Dispose() => System.IO.Directory.Delete(_directory, recursive: true);

    private sealed class Session(string directory, int valueBytes) : ICacheSession
    {
        private readonly byte[] _buffer = new byte[valueBytes];

        public int ReadMany(ReadOnlySpan<int> keys)
        {
            var hits = 0;
            foreach (var key in keys)
            {
                hits += Read(key) ? 1 : 0;
            }

            return hits;
        }

        public bool Read(int key)
        {
            using var file = File.OpenHandle(PathOf(key % Files));
            RandomAccess.Read(file, _buffer, 0);
            return CacheValue.IsOf(key % Files, _buffer);
        }

        public void WriteMany(ReadOnlySpan<int> keys, Span<byte> value)
        {
            foreach (var key in keys)
            {
                var path = PathOf(key % Files);
                BinaryPrimitives.WriteInt64LittleEndian(value, key % Files);
                System.IO.Directory.CreateDirectory(Path.GetDirectoryName(path)!);
                using var file = File.OpenHandle(path, FileMode.OpenOrCreate, FileAccess.Write);
                RandomAccess.Write(file, value, 0);
            }
        }

        public void Dispose()
        {
        }

        private string PathOf(int key) => Path.Combine(
            directory, (key / PerDirectory).ToString(CultureInfo.InvariantCulture), key.ToString(CultureInfo.InvariantCulture));
    }
}

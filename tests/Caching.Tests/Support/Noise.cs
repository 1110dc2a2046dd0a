namespace BufferedMessages.Caching.Tests;

/// <summary>Noise in files, also in those that a process has open.</summary>
internal static class Noise
{
    /// <summary>Spoils a part of a file: all bytes at random, a few of them, all to ones, all to zeros, or single bits.</summary>
    public static void Write(string path, long start, long end, Random random)
    {
        using var file = Open(path);
        Write(file, start, end, random);
    }

    /// <summary>Does the same for an open file, which may be deleted by now.</summary>
    public static void Write(FileStream file, long start, long end, Random random)
    {
        var bytes = new byte[end - start];
        file.Position = start;
        file.ReadExactly(bytes);
        Spoil(bytes, random);
        file.Position = start;
        file.Write(bytes);
        file.Flush();
    }

    /// <summary>Opens a file that processes may change and delete.</summary>
    public static FileStream Open(string path) => new(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);

    private static void Spoil(byte[] bytes, Random random)
    {
        switch (random.Next(5))
        {
            case 0:
                random.NextBytes(bytes);
                break;
            case 1:
                Array.Fill(bytes, byte.MaxValue);
                break;
            case 2:
                Array.Clear(bytes);
                break;
            case 3:
                for (var flips = random.Next(1, 20); flips > 0; flips--)
                {
                    bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
                }

                break;
            default:
                for (var i = 0; i < bytes.Length; i++)
                {
                    bytes[i] = random.Next(50) == 0 ? (byte)random.Next(256) : bytes[i];
                }

                break;
        }
    }
}

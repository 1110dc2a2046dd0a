using BufferedMessages.Segments;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A test that sees the time of a file change when a page that was on the disk is written to through a mapping.</summary>
[AttributeUsage(AttributeTargets.Method)]
internal sealed class WriteTimesTheoryAttribute : TheoryAttribute
{
    public WriteTimesTheoryAttribute()
    {
        if (!OperatingSystem.IsLinux() || !SetsTimes())
        {
            Skip = "The file system of the temp directory does not see when a mapped page is written to.";
        }
    }

    private static bool SetsTimes()
    {
        var path = Path.Combine(Path.GetTempPath(), "bmq-" + Guid.NewGuid().ToString("N"));
        File.WriteAllBytes(path, new byte[Environment.SystemPageSize]);
        try
        {
            using var file = MappedFile.Open(path);
            file.Span.Bytes(0, 1)[0] = 1;
            file.Flush();
            File.SetLastWriteTimeUtc(path, DateTime.UnixEpoch);
            file.Span.Bytes(0, 1)[0] = 2;
            return File.GetLastWriteTimeUtc(path) != DateTime.UnixEpoch;
        }
        finally
        {
            File.Delete(path);
        }
    }
}

namespace BufferedMessages.Queues;

/// <summary>The distance of a position from the published position.</summary>
internal static class Lag
{
    /// <summary>The bytes from a position, or from the first one that is still there, to the published position. The header of a segment is not unread.</summary>
    public static long Of(SegmentStore segments, long position, long published)
    {
        var segmentBytes = segments.Control.SegmentBytes;
        var next = Math.Max(position, segments.First * segmentBytes);
        return Math.Max(published - next - (next % segmentBytes == 0 ? SegmentHeader.Bytes : 0), 0);
    }
}

using System.Diagnostics;
using System.Runtime.ExceptionServices;
using BufferedMessages.Segments;

namespace BufferedMessages.Caching;

/// <summary>
/// The attempts of the worker to free a segment, and the last one that failed. A thread that waits throws the failure of an attempt that began after it: an earlier one may
/// not have seen a change, such as room on the disk. Under the lock of the pool.
/// </summary>
internal struct AttemptFailures
{
    private Exception? _failure;
    private long _failed;

    /// <summary>Gets the number of attempts that have begun.</summary>
    public long Begun { get; private set; }

    public void Begin() => Begun++;

    /// <summary>Notes that the attempt failed.</summary>
    public void Note(Exception failure)
    {
        Debug.Assert(Begun != 0, "An attempt begins before it fails.");
        _failure = failure;
        _failed = Begun;
    }

    /// <summary>Throws the failure of an attempt, if one has failed that began after others.</summary>
    /// <param name="attempts">The number of the others.</param>
    public readonly void ThrowAfter(long attempts)
    {
        if (_failed <= attempts)
        {
            return;
        }

        if (_failure is DiskFullException full)
        {
            throw new DiskFullException(full.File, full.Bytes, full);
        }

        ExceptionDispatchInfo.Throw(_failure!);
    }
}

using System.Security.Cryptography;

namespace BufferedMessages.Runtime.Tests.Queues;

/// <summary>A crash of the machine: the files as the disk has them, and another boot id when somebody looks at them again.</summary>
internal static class MachineCrash
{
    public const int DurablePositionOffset = 1152;

    private const int BootIdOffset = 1408;

    /// <summary>A copy of the queue's files, as a machine sees them that has just started.</summary>
    /// <param name="directory">The queue; it may be in use.</param>
    /// <param name="durablePosition">What the control file on the disk says, when that is older than what is in memory.</param>
    public static QueueDirectory Of(QueueDirectory directory, long? durablePosition = null)
    {
        var copy = directory.Crash();
        Restart(copy);
        if (durablePosition is { } position)
        {
            QueueDirectory.Damage(copy.ControlFile, DurablePositionOffset, BitConverter.GetBytes(position));
        }

        return copy;
    }

    /// <summary>The machine starts again.</summary>
    public static void Restart(QueueDirectory directory) =>
        QueueDirectory.Damage(directory.ControlFile, BootIdOffset, RandomNumberGenerator.GetBytes(16));
}
